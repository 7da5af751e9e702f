public import Services
public import UV
public import ViewState

/// The daemon: a store, an engine, and the services that clients call.
public enum Daemon {
  /// The version reported to clients.
  public static let version = Release.version

  /// The daemon's configuration.
  public struct Configuration {
    /// The store's file; created if missing.
    public var storePath: String
    /// True if missing folders above the store's own are created too, as for the XDG base directories. Otherwise only
    /// the store's own folder is created, so that a mistyped path is reported.
    public var makesAllFolders = false
    public var transport: TransportConfiguration
    /// The file of the token for TCP; created if missing.
    public var tokenPath: String
    /// The daemon's clock.
    public var clock = DaemonClock.system
    /// The upstream programs (docs/UPSTREAM.md): source names, each with a program and its arguments.
    public var upstreams: [(source: String, command: [String])] = []
    /// The programs that start on demand, by source. An upstream program of the same source takes one's place.
    public var programsOnDemand: [String: String] = [:]
    /// The time without an answer after which a command is sent to an upstream program again.
    public var upstreamPatience = Duration.seconds(30)

    /// How accounts come to be followed, if the store is new; nil for the default: `open` if the socket is shared with a
    /// group, whose members are a team, otherwise `ask`.
    public var follows: FollowPolicy?

    /// The service manager that started the daemon; nil if none did.
    public var manager: ServiceManager?

    public init(storePath: String, transport: TransportConfiguration, tokenPath: String) {
      self.storePath = storePath
      self.transport = transport
      self.tokenPath = tokenPath
    }
  }

  /// Opens the store, listens, and serves until SIGINT, SIGTERM or DaemonService.Stop; then shuts down cleanly.
  ///
  /// - Parameter ready: called once, with the TCP address if there is one, when clients can connect.
  /// - Throws: `NoStoreFolder`, `StoreInUse`, `UnusableLockFile`, `StoreError`, `TransportError` or `UVError`, each with
  ///   a sentence for the person who starts the daemon.
  public static func run(_ configuration: Configuration, ready: (SocketAddress?) -> Void) throws {
    let loop = try Loop()
    defer {
      // The loop has run dry, or nothing was ever opened on it, so closing it cannot fail.
      try? loop.close()
    }
    let daemon = try RunningDaemon(loop: loop, configuration)
    defer {
      daemon.close()
      // Until the upstream programs have ended.
      loop.run()
    }
    daemon.onStopped = { loop.stop() }
    let interrupt = try Signal(loop: loop, .interrupt) { daemon.stop() }
    let terminate = try Signal(loop: loop, .terminate) { daemon.stop() }
    let watchdog = try configuration.manager.flatMap { try Watchdog(loop: loop, $0, watching: daemon) }
    defer { watchdog?.close() }
    ready(daemon.tcpAddress)
    configuration.manager?.tell("READY=1")
    Process.releaseCodePages()
    loop.run()
    configuration.manager?.tell("STOPPING=1")
    interrupt.close()
    terminate.close()
  }
}
