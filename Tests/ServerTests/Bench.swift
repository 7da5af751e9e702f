import ClientTransport
import Server
import TestSupport
import Testing
import UV
import ViewState

/// One loop that runs everything in a test: daemons, their clients, and a time limit for waits.
///
/// Nothing sleeps: a test says what it waits for, and the loop turns until that has happened.
final class Bench {
  /// Thrown if an event that a test waits for does not happen.
  struct Overdue: Error {
    let what: String
  }

  /// Far longer than any wait takes on a busy machine; only a bug reaches it.
  private static let limit = Duration.seconds(60)

  let loop: Loop
  let folder: TemporaryFolder
  private var watchdog: Timer?
  private var isOverdue = false
  private var daemons: [TestDaemon] = []
  private var channels: [Channel] = []

  init() throws {
    folder = TemporaryFolder()
    loop = try Loop()
    watchdog = try Timer(loop: loop) { [unowned self] in isOverdue = true }
    watchdog?.arm(after: Self.limit)
  }

  /// Turns the loop until `isDone`.
  func wait(for what: String, until isDone: () -> Bool) throws {
    while !isDone() {
      if isOverdue { throw Overdue(what: what) }
      loop.run(.once)
    }
  }

  /// Starts a daemon whose files are called after `name`, and whose accounts follow each other unless `follows` says
  /// otherwise.
  func daemon(
    _ name: String = "daemon", listen: SocketAddress? = nil, follows: FollowPolicy? = .open
  ) throws -> TestDaemon {
    let daemon = TestDaemon(bench: self, name: name, listen: listen, follows: follows)
    daemons.append(daemon)
    try daemon.start()
    return daemon
  }

  /// Connects a client to the daemon at an endpoint.
  func connect(to endpoint: Endpoint, token: String? = nil) throws -> TestClient {
    var result: Result<Channel, ChannelError>?
    Channel.connect(loop: loop, to: endpoint, token: token) { result = $0 }
    try wait(for: "a connection to \(endpoint)") { result != nil }
    let channel = try #require(result).get()
    channels.append(channel)
    return TestClient(bench: self, channel: channel)
  }

  /// Ends everything; fails unless every handle has been closed.
  fileprivate func close() throws {
    for channel in channels { channel.close() }
    for daemon in daemons { try daemon.stop() }
    try wait(for: "the end of all connections") { channels.allSatisfy { !$0.isOpen } }
    watchdog?.close()
    loop.run()
    #expect(loop.openHandles == 0)
  }

  /// Ends the daemons' threads after a failure, so that the failure itself is reported.
  fileprivate func abandon() {
    for daemon in daemons { daemon.abandon() }
  }
}

/// Runs a test with a bench, and checks that it leaves nothing open.
func withBench(_ body: (Bench) throws -> Void) throws {
  let bench = try Bench()
  do {
    try body(bench)
    try bench.close()
  } catch {
    bench.abandon()
    try bench.loop.close()
    throw error
  }
  try bench.loop.close()
}
