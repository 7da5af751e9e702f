import RPC
package import Services
import Store
import TestSupport
package import ViewState

/// A daemon's real services on a simulated disk, called over real gRPC connections in memory, and run on demand.
///
/// Tests what the services do; a ``World`` tests how they cope with faults.
package final class DirectDaemon {
  package let disk: SimulatedDisk
  private let vfs: SimulatedVFS
  private let loop = DirectLoop()
  private let services: DaemonServices
  private let system: DirectSystem
  private var clients: [DirectClient] = []

  /// The user that the daemon runs as.
  package static let user: UInt32 = 1000

  /// Starts a daemon on an empty disk. `seed` determines its random values, `follows` how accounts come to be followed,
  /// and `upstreams` are the programs of its sources.
  package init(seed: UInt64, follows: FollowPolicy = .open, upstreams: Upstreams = .none) throws {
    disk = SimulatedDisk(seed: seed)
    vfs = SimulatedVFS(disk)
    var place = StorePlace(path: "posts.db", epoch: seed | 1, vfs: vfs.name)
    place.follows = follows
    // No power is cut, so commits need no sync.
    place.durability = .off
    system = DirectSystem(seed: seed)
    services = try DaemonServices(
      loop: loop, system: system, place: place, tokens: nil,
      requestLimit: ConnectionLimits().messages.receivedBytes, upstreams: upstreams)
    services.endCalls = { [unowned self] status, isMeant in
      for client in clients { client.server.endCalls(with: status, where: isMeant) }
    }
    loop.carryBytes = { [unowned self] in
      // All clients: the bytes of one may cause responses to another.
      var didCarry = false
      for client in clients where client.carryBytes(at: loop.time) { didCarry = true }
      return didCarry
    }
  }

  /// Ends the daemon.
  package func close() {
    services.endStreams()
    loop.runUntilIdle()
    for client in clients { client.close() }
    clients = []
    services.close()
  }

  /// Connects a client of a local user.
  package func client(user: UInt32) throws -> DirectClient {
    try connect(.localUser(userID: user, processID: 2), token: nil)
  }

  /// Connects a remote client, with or without a token.
  package func client(token: String?) throws -> DirectClient { try connect(.unknown, token: token) }

  private func connect(_ peer: Peer, token: String?) throws -> DirectClient {
    let client = try DirectClient(peer: peer, token: token, handler: services.registry, daemon: self)
    clients.append(client)
    return client
  }

  /// The bytes that are free on the disk, as the daemon is told; nil if they are unknown.
  package var freeBytes: UInt64? {
    get { system.freeBytes }
    set { system.freeBytes = newValue }
  }

  /// Runs until nothing is left to do at the present time.
  package func runUntilIdle() { loop.runUntilIdle() }

  /// Does the next bit of work: the end of a turn, bytes both ways, and the jobs of one worker.
  package func runStep() { _ = loop.step() }

  /// Lets the driver handle one step in each turn from now on: reading the clock twice takes more than its slice.
  package func handleOneStepPerTurn() { loop.slowness = .microseconds(600) }

  /// Number of ends of turns that have been run.
  package var turns: Int { loop.turns }

  /// Number of jobs that the workers have done.
  package var jobs: Int { loop.jobs }

  /// Lets time pass and fires the timers that fall due, without running what they begin.
  package func fireTimers(after time: Duration) { loop.fireTimers(after: time) }

  /// Lets time pass, so that views receive frames held back by their pace.
  package func advance(by time: Duration) { loop.advance(by: time) }
}

/// A machine on which every user ID exists.
private final class DirectSystem: SystemFacts {
  let processID: Int32 = 1
  let effectiveUserID = DirectDaemon.user
  private var random: SeededGenerator
  var freeBytes: UInt64?

  init(seed: UInt64) { random = SeededGenerator(seed: seed ^ 0x5EC2E7) }

  func randomBytes(_ count: Int) -> [UInt8]? { (0..<count).map { _ in .random(in: 0...255, using: &random) } }

  func userNames(of userID: UInt32) -> (name: String, fullName: String)? { ("user\(userID)", "User \(userID)") }

  func zoneFile(_ name: String) -> [UInt8]? { nil }

  func diskSpace(of path: String) -> DiskSpace? { freeBytes.map { DiskSpace(freeBytes: $0, fileBytes: 0) } }
}
