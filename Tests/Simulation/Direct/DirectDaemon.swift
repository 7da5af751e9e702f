import RPC
import Services
import Store
import TestSupport

/// The services of a daemon, called directly: real ones on a simulated disk, over real gRPC connections in memory, and
/// all of it done when a test asks for it. For tests of what the services do, where a ``World`` tests what happens to
/// them.
package final class DirectDaemon {
  package let disk: SimulatedDisk
  private let vfs: SimulatedVFS
  private let loop = DirectLoop()
  private let services: DaemonServices
  private var clients: [DirectClient] = []

  /// The user the daemon runs as.
  package static let user: UInt32 = 1000

  /// A daemon on an empty disk. What it draws follows from `seed`.
  package init(seed: UInt64) throws {
    disk = SimulatedDisk(seed: seed)
    vfs = SimulatedVFS(disk)
    var place = StorePlace(path: "posts.db", epoch: seed | 1, vfs: vfs.name)
    // Nothing is lost here: no power is cut.
    place.durability = .off
    services = try DaemonServices(
      loop: loop, system: DirectSystem(seed: seed), place: place, tokens: nil,
      requestLimit: ConnectionLimits().messages.receivedBytes)
    services.endCalls = { [unowned self] status, isMeant in
      for client in clients { client.server.endCalls(with: status, where: isMeant) }
    }
    loop.carry = { [unowned self] in
      // All of them: one that has nothing now may be answered by what another says.
      var didCarry = false
      for client in clients where client.carry(at: loop.monotonicClock) { didCarry = true }
      return didCarry
    }
  }

  /// Ends it.
  package func close() {
    services.endStreams()
    loop.settle()
    for client in clients { client.close() }
    clients = []
    services.close()
  }

  /// A client of a user of the machine.
  package func client(user: UInt32) throws -> DirectClient {
    try connect(.localUser(userID: user, processID: 2), token: nil)
  }

  /// A client from elsewhere, with a token or none.
  package func client(token: String?) throws -> DirectClient { try connect(.unknown, token: token) }

  private func connect(_ peer: Peer, token: String?) throws -> DirectClient {
    let client = try DirectClient(peer: peer, token: token, handler: services.registry, daemon: self)
    clients.append(client)
    return client
  }

  /// Has everything done that there is to do now.
  package func settle() { loop.settle() }

  /// Lets time pass, so that views are sent what waits for their pace.
  package func advance(by time: Duration) { loop.advance(by: time) }
}

/// A machine with as many users as anybody asks for.
private final class DirectSystem: SystemFacts {
  let processID: Int32 = 1
  let effectiveUserID = DirectDaemon.user
  private var random: SeededGenerator

  init(seed: UInt64) { random = SeededGenerator(seed: seed ^ 0x5EC2E7) }

  func randomBytes(_ count: Int) -> [UInt8]? { (0..<count).map { _ in .random(in: 0...255, using: &random) } }

  func userNames(of userID: UInt32) -> (name: String, fullName: String)? { ("user\(userID)", "User \(userID)") }

  func zoneFile(_ name: String) -> [UInt8]? { nil }
}
