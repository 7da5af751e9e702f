internal import RPC
internal import Services
public import UV

/// The daemon on a loop that somebody else runs: its services, and the listeners.
///
/// Clients can connect as soon as it is made. Its end has two steps: ``stop()``, while the loop runs, and ``close()``
/// after ``onStopped``.
public final class RunningDaemon {
  /// Called on the loop, once, when the last connection is closed after ``stop()`` or DaemonService.Stop.
  public var onStopped: () -> Void = {}

  private let lock: StoreLock
  private let services: DaemonServices
  private let transport: Transport

  /// Opens the store and listens.
  ///
  /// - Throws: `NoStoreFolder`, `StoreInUse`, `StoreError`, `TransportError` or `UVError`, each a sentence for the
  ///   person who starts the daemon. Nothing is left running then.
  public init(loop: Loop, _ configuration: Daemon.Configuration) throws {
    // Before there is a store or a token: whoever made a mistake finds nothing left behind.
    try Transport.check(configuration.transport)
    let tokens = configuration.transport.listen == nil ? nil : try TokenVerifier(file: configuration.tokenPath)
    try StoreFolder.make(of: configuration.storePath, makesAll: configuration.makesAllFolders)
    let isNew = StoreFolder.isMissing(configuration.storePath)
    lock = try StoreLock(of: configuration.storePath)
    do {
      services = try DaemonServices(
        loop: UVServiceLoop(loop), system: ThisSystem(),
        place: StorePlace(path: configuration.storePath, epoch: try Self.randomEpoch()), tokens: tokens,
        requestLimit: configuration.transport.limits.messages.receivedBytes, clock: configuration.clock,
        upstreams: Self.upstreams(configuration, loop))
    } catch {
      lock.withdraw()
      throw error
    }
    if isNew { configuration.transport.log("there was no store; a new one was made: \(configuration.storePath)") }
    services.registry.drawExtraDelay = { .random(in: 0...$0) }
    do {
      transport = try Transport(loop: loop, configuration: configuration.transport, registry: services.registry)
    } catch {
      services.close()
      throw error
    }
    services.connectionCount = { [unowned transport] in transport.openConnections }
    services.endCalls = { [unowned transport] in transport.endCalls(with: $0, where: $1) }
    services.onStopAsked = { [unowned self] in stop() }
  }

  /// Where the TCP listener ended up, if there is one: tells the port that the kernel chose for port 0.
  public var tcpAddress: SocketAddress? { transport.tcpAddress }

  /// Stops listening, lets the calls that are open end for as long as the configuration allows, ends the rest with
  /// UNAVAILABLE, and calls ``onStopped``. Asking twice is harmless.
  public func stop() {
    services.endStreams()
    transport.shutDown { [self] in onStopped() }
  }

  /// Lets the store finish what it was given (blocking the loop), and lets go of everything on the loop.
  public func close() {
    services.close()
    lock.unlock()
  }

  private static func upstreams(_ configuration: Daemon.Configuration, _ loop: Loop) -> Upstreams {
    let log = configuration.transport.log
    let commands = Dictionary(configuration.upstreams.map { ($0.source, $0.command) }) { $1 }
    return Upstreams(sources: commands.keys.sorted(), patience: configuration.upstreamPatience, log: log) {
      source, onAnswer, onEnd throws(UpstreamFailure) in
      try UpstreamProcess(
        loop: loop, command: commands[source]!, log: { log("upstream \(source): \($0)") }, onAnswer: onAnswer,
        onEnd: onEnd)
    }
  }

  private static func randomEpoch() throws -> UInt64 {
    max(1, try Process.randomBytes(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
  }
}
