public import Services
public import UV

/// The daemon: a store, an engine, and the services that clients call.
public enum Daemon {
  /// The version told to clients.
  public static let version = Release.version

  /// Where everything is.
  public struct Configuration {
    /// The store's file, made where it is missing.
    public var storePath: String
    /// Whether the folders above the store's own are made too where they are missing, as those of the XDG base
    /// directories are. Only its own is otherwise: a path that somebody typed wrong leads nowhere.
    public var makesAllFolders = false
    public var transport: TransportConfiguration
    /// The file of the token for TCP; made if it is missing.
    public var tokenPath: String
    /// What time it is taken to be.
    public var clock = DaemonClock.system
    /// The programs that tell sources elsewhere what is done here to their posts (docs/UPSTREAM.md): names of sources,
    /// and a program with its arguments for each.
    public var upstreams: [(source: String, command: [String])] = []
    /// After how long without an answer one of them is told something again.
    public var upstreamPatience = Duration.seconds(30)

    /// Puts the parts together.
    public init(storePath: String, transport: TransportConfiguration, tokenPath: String) {
      self.storePath = storePath
      self.transport = transport
      self.tokenPath = tokenPath
    }
  }

  /// Opens the store, listens and serves until SIGINT, SIGTERM or DaemonService.Stop; then ends in good order.
  ///
  /// - Parameter ready: called once, with the TCP address if there is one, when clients can connect.
  /// - Throws: `NoStoreFolder`, `StoreInUse`, `StoreError`, `TransportError` or `UVError`, each a sentence for the
  ///   person who starts the daemon.
  public static func run(_ configuration: Configuration, ready: (SocketAddress?) -> Void) throws {
    let loop = try Loop()
    defer {
      // The loop has run dry, or nothing was ever opened on it: closing it cannot fail.
      try? loop.close()
    }
    let daemon = try RunningDaemon(loop: loop, configuration)
    defer { daemon.close() }
    daemon.onStopped = { loop.stop() }
    let interrupt = try Signal(loop: loop, .interrupt) { daemon.stop() }
    let terminate = try Signal(loop: loop, .terminate) { daemon.stop() }
    ready(daemon.tcpAddress)
    Process.releaseCodePages()
    loop.run()
    interrupt.close()
    terminate.close()
  }
}
