import ClientTransport
import Server
import TestSupport
import Testing
import UV
import ViewState

/// A whole daemon on a test's loop: its store, socket and token are files of the test's folder.
final class TestDaemon {
  let configuration: Daemon.Configuration
  private unowned let bench: Bench
  private var running: RunningDaemon?
  private var isStopped = true

  /// - Parameter follows: the setting of its store, nil for the default.
  init(bench: Bench, name: String, listen: SocketAddress?, follows: FollowPolicy?) {
    self.bench = bench
    var transport = TransportConfiguration()
    transport.socketPath = bench.folder.file("\(name).sock")
    transport.listen = listen
    // Open calls are ended at once, not after seconds.
    transport.shutDownGrace = .zero
    var configuration = Daemon.Configuration(
      storePath: bench.folder.file("\(name).db"), transport: transport, tokenPath: bench.folder.file("\(name).token"))
    configuration.follows = follows
    self.configuration = configuration
  }

  /// Starts the daemon; can be called again after a stop.
  func start() throws {
    let daemon = try RunningDaemon(loop: bench.loop, configuration)
    isStopped = false
    daemon.onStopped = { [unowned self] in isStopped = true }
    running = daemon
  }

  /// Stops the daemon, unless it has ended.
  func stop() throws {
    running?.stop()
    try waitForEnd()
  }

  /// Waits for an end that something else has requested.
  func waitForEnd() throws {
    guard let daemon = running else { return }
    try bench.wait(for: "the end of the daemon") { isStopped }
    daemon.close()
    running = nil
  }

  /// Ends its threads, whatever state it is in.
  func abandon() {
    running?.close()
    running = nil
  }

  /// Connects a client over the Unix socket.
  func connect() throws -> TestClient {
    try bench.connect(to: .unix(path: try #require(configuration.transport.socketPath)))
  }

  /// Connects a client over TCP.
  func connectOverTCP(token: String?) throws -> TestClient {
    try bench.connect(to: .tcp(try #require(running?.tcpAddress)), token: token)
  }

  /// The token that the daemon wrote.
  func token() throws -> String {
    let bytes = try FileSystem.read(configuration.tokenPath, limit: 4096)
    return String(decoding: bytes.filter { $0 > 0x20 }, as: UTF8.self)
  }
}
