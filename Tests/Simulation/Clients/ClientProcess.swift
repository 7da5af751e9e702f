import RPC
import TestSupport

/// A client's process in a ``World``: one connection at a time, reestablished when lost, and its user's behaviours.
final class ClientProcess {
  let name: String
  let loop: SimulatedLoop
  let userID: UInt32
  let world: World
  private(set) var connection: ClientConnection?
  private(set) var link: Link?
  private(set) var behaviours: [Behaviour] = []
  private var driver: MachineDriver?
  private var random: SeededGenerator
  private var connectionsMade = 0
  private let profile: Pipe.Profile
  private var isConnecting = false

  init(_ world: World, name: String, userID: UInt32) {
    self.world = world
    self.name = name
    self.userID = userID
    loop = SimulatedLoop(world, name: name)
    random = world.generator("client \(name)")
    let least = [20, 50, 500, 5_000, 20_000].randomElement(using: &random)!
    profile = Pipe.Profile(
      delay: least...least * .random(in: 2...6, using: &random),
      bufferBytes: [1_500, 6_000, 65_536, 262_144].randomElement(using: &random)!,
      pieceBytes: [7, 100, 1_400, 16_384, 65_536].randomElement(using: &random)!,
      nanosecondsPerByte: [1, 10, 100, 1_000].randomElement(using: &random)!)
  }

  /// Adds a behaviour to the user.
  func add(_ behaviour: Behaviour) { behaviours.append(behaviour) }

  /// Ends the process.
  func end() {
    loop.kill()
    connection?.connectionLost("the client has ended")
    connection = nil
    driver = nil
    for behaviour in behaviours { behaviour.end() }
    behaviours = []
  }

  // MARK: The connection

  /// Connects after a delay, unless connected or already connecting.
  func connect(after delay: Duration) {
    guard !isConnecting, connection == nil else { return }
    isConnecting = true
    world.schedule(after: delay) { [weak self] in self?.connect() }
  }

  private func connect() {
    isConnecting = false
    guard loop.isAlive else { return }
    guard let server = world.server else { return connect(after: .milliseconds(.random(in: 20...300, using: &random))) }
    connectionsMade += 1
    let wire = "\(name).\(connectionsMade)"
    let link = Link(
      toServer: Pipe(world, name: "\(wire)>", to: server.loop, profile),
      toClient: Pipe(world, name: "\(wire)<", to: loop, profile))
    self.link = link
    server.accept(link, of: self)
    loop.post { [weak self] in self?.connected(link) }
  }

  private func connected(_ link: Link) {
    var limits = ConnectionLimits()
    limits.messages.receivedBytes = 4 << 20
    limits.streams.windowBytes = 1 << 20
    limits.streams.connectionWindowBytes = 1 << 22
    let made = ClientConnection(limits: limits, at: loop.monotonicClock)!
    connection = made
    let driver = MachineDriver(made, loop, from: link.toClient, to: link.toServer) { [weak self] in self?.lost(made) }
    self.driver = driver
    link.client = driver
    world.trace.record(world.now, name, "connects", Int64(connectionsMade))
    if link.isCut { return driver.lost() }
    for behaviour in behaviours { behaviour.connected() }
  }

  private func lost(_ lost: ClientConnection) {
    guard connection === lost else { return }
    world.trace.record(world.now, name, "is cut off")
    connection = nil
    driver = nil
    link = nil
    lost.connectionLost("the connection was lost")
    connect(after: .milliseconds(.random(in: 1...400, using: &random)))
  }

  // MARK: Calls

  /// Starts a call; nil without a connection that accepts it.
  func start(_ path: String, timeout: Duration? = nil) -> ClientCall? {
    guard let connection, let call = try? connection.start(path, timeout: timeout, at: loop.monotonicClock) else {
      return nil
    }
    driver?.scheduleFlush()
    return call
  }

  /// Makes a call with one request and one response.
  func unary(
    _ path: String, _ request: [UInt8], timeout: Duration? = nil,
    _ completion: @escaping (Result<[UInt8], Status>) -> Void
  ) {
    guard let call = start(path, timeout: timeout) else {
      return completion(.failure(Status(.unavailable, "not connected")))
    }
    try? call.send(request)
    call.closeSend()
    var response: [UInt8]?
    call.onMessage = { _, message in response = message }
    call.onEnd = { [weak self] _, status, _ in
      guard let self else { return }
      world.trace.record(world.now, name, "is answered", Int64(status.code.rawValue))
      if status.isOK, response == nil { world.violation("\(path) ended with OK but without a message") }
      completion(status.isOK ? .success(response ?? []) : .failure(status))
    }
  }
}
