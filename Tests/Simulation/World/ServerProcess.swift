import RPC
import Services

/// A daemon's process in a ``World``: the real services and connections, on a simulated loop.
final class ServerProcess {
  private struct Connection {
    var machine: ServerConnection
    var driver: MachineDriver
  }

  /// A weak reference to a call whose queue is checked.
  private struct WatchedCall {
    weak var call: ServerCall?
  }

  let loop: SimulatedLoop
  private let world: World
  private let services: DaemonServices
  private let budget = CallBudget()
  private var connections: [Connection] = []
  /// All connections that were ever opened, accepted or not.
  private var links: [(link: Link, client: ClientProcess)] = []
  private var calls: [WatchedCall] = []
  private var isStopping = false

  /// Opens the store and starts the services.
  init(_ world: World, number: Int) throws {
    self.world = world
    loop = SimulatedLoop(world, name: "daemon \(number)")
    var place = StorePlace(path: "posts.db", epoch: world.seed | 1, vfs: world.vfs.name)
    place.durability = world.options.durability
    services = try DaemonServices(
      loop: loop, system: SimulatedSystem(), place: place, tokens: nil,
      requestLimit: ConnectionLimits().messages.receivedBytes,
      upstreams: world.remoteSource.upstreams(loop))
    services.connectionCount = { [unowned self] in connections.count }
  }

  /// Accepts a client's connection.
  func accept(_ link: Link, of client: ClientProcess) {
    links.append((link, client))
    loop.post { [weak self] in
      guard let self else { return }
      let peer = Peer.localUser(userID: client.userID, processID: 2)
      guard !isStopping,
        let machine = ServerConnection(
          limits: ConnectionLimits(), budget: budget, peer: peer, handler: self, at: loop.monotonicClock)
      else { return link.cut(notifiesClient: true, notifiesServer: false, clientLoop: client.loop, serverLoop: loop) }
      let driver = MachineDriver(machine, loop, from: link.toServer, to: link.toClient) { [weak self] in
        machine.connectionLost()
        self?.closed(machine)
      }
      link.server = driver
      connections.append(Connection(machine: machine, driver: driver))
    }
  }

  /// Stops gracefully, and notifies the world afterwards.
  func stop() {
    loop.post { [weak self] in
      guard let self, !isStopping else { return }
      isStopping = true
      services.endStreams()
      for connection in connections {
        connection.machine.shutDown(grace: .milliseconds(500), at: loop.monotonicClock)
        connection.driver.scheduleFlush()
      }
      endIfIdle()
    }
  }

  private func closed(_ machine: ServerConnection) {
    connections.removeAll { $0.machine === machine }
    endIfIdle()
  }

  private func endIfIdle() {
    guard isStopping, connections.isEmpty, loop.isAlive else { return }
    if budget.totalBytes != 0 { world.violation("\(budget.totalBytes) bytes are counted for no connection") }
    services.close()
    loop.kill()
    if world.disk.isDown { world.count(.powerCutInJob) }
    world.serverStopped()
  }

  /// Crashes. The kernel closes the connections of a killed process; after a power cut, clients notice much later.
  func crash(notifiesClients: Bool) {
    loop.kill()
    let open = connections
    connections = []
    // Releases what the calls retain; nothing of it reaches the dead loop or disk.
    for connection in open { connection.machine.connectionLost() }
    for (link, client) in links {
      link.cut(notifiesClient: notifiesClients, notifiesServer: false, clientLoop: client.loop, serverLoop: loop)
      guard !notifiesClients else { continue }
      world.schedule(after: .milliseconds(900)) { [loop] in
        link.cut(notifiesClient: true, notifiesServer: false, clientLoop: client.loop, serverLoop: loop)
      }
    }
    links = []
  }

  /// Checks that every call's queue is within its limit.
  func checkQueues() {
    calls.removeAll { $0.call == nil }
    for entry in calls {
      guard let call = entry.call else { continue }
      if call.queuedBytes > call.queueLimitBytes {
        world.violation("\(call.path) has \(call.queuedBytes) bytes waiting")
      }
    }
  }
}

extension ServerProcess: ServerCallHandler {
  func handle(_ call: ServerCall) {
    world.trace.record(world.now, call.path, "is called")
    calls.append(WatchedCall(call: call))
    services.registry.handle(call)
  }
}
