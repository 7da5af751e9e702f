internal import RPC
internal import Services
public import UV
internal import ViewState

/// The daemon on a loop that its owner runs: its services and listeners.
///
/// Clients can connect as soon as it exists. Shutdown has two steps: ``stop()`` while the loop runs, and ``close()``
/// after ``onStopped``.
public final class RunningDaemon {
  /// Called once, on the loop, when the last connection has closed after ``stop()`` or DaemonService.Stop.
  public var onStopped: () -> Void = {}

  private let lock: StoreLock
  private let services: DaemonServices
  private let transport: Transport

  /// Opens the store and listens.
  ///
  /// - Throws: `NoStoreFolder`, `StoreInUse`, `UnusableLockFile`, `StoreError`, `TransportError` or `UVError`, each with
  ///   a sentence for the person who starts the daemon. Nothing is left running then.
  public init(loop: Loop, _ configuration: Daemon.Configuration) throws {
    // Checked before a store or a token is created, so that a mistake leaves nothing behind.
    try Transport.check(configuration.transport)
    let tokens = configuration.transport.listen == nil ? nil : try TokenVerifier(file: configuration.tokenPath)
    try StoreFolder.make(of: configuration.storePath, makesAll: configuration.makesAllFolders)
    let isNew = StoreFolder.isMissing(configuration.storePath)
    var place = StorePlace(path: configuration.storePath, epoch: try Self.randomEpoch())
    place.follows = configuration.follows ?? (configuration.transport.group == nil ? .ask : .open)
    lock = try StoreLock(of: configuration.storePath)
    do {
      services = try DaemonServices(
        loop: UVServiceLoop(loop), system: ThisSystem(), place: place, tokens: tokens,
        requestLimit: configuration.transport.limits.messages.receivedBytes, clock: configuration.clock,
        upstreams: Self.upstreams(configuration, loop), hasGroup: configuration.transport.group != nil)
    } catch {
      lock.withdraw()
      throw error
    }
    if isNew { configuration.transport.log("created a new store: \(configuration.storePath)") }
    services.registry.drawExtraDelay = { .random(in: 0...$0) }
    do {
      transport = try Transport(loop: loop, configuration: configuration.transport, registry: services.registry)
    } catch {
      services.close()
      throw error
    }
    services.connectionCount = { [unowned transport] in transport.openConnections }
    services.endCalls = { [unowned transport] in transport.endCalls(with: $0, where: $1) }
    services.onStopRequested = { [unowned self] in stop() }
  }

  /// The TCP listener's address, if there is one, with the port that the kernel chose for port 0.
  public var tcpAddress: SocketAddress? { transport.tcpAddress }

  /// See `DaemonServices.writing`.
  var writing: (done: UInt64, isWaiting: Bool) { services.writing }

  /// Stops listening, lets open calls finish within the configured grace period, ends the rest with UNAVAILABLE, and
  /// calls ``onStopped``. Idempotent.
  public func stop() {
    services.endStreams()
    transport.shutDown { [self] in onStopped() }
  }

  /// Lets the store finish its queued work (blocking the loop), and releases everything on the loop.
  public func close() {
    services.close()
    lock.unlock()
  }

  private static func upstreams(_ configuration: Daemon.Configuration, _ loop: Loop) -> Upstreams {
    let log = configuration.transport.log
    var commands = Dictionary(configuration.upstreams.map { ($0.source, $0.command) }) { $1 }
    let sources = commands.keys.sorted()
    let onDemand = configuration.programsOnDemand.filter { commands[$0.key] == nil }
    for (source, program) in onDemand { commands[source] = [program] }
    var upstreams = Upstreams(sources: sources, patience: configuration.upstreamPatience, log: log) {
      [commands]
      source, onMessage, onEnd throws(UpstreamFailure) in
      try UpstreamProcess(
        loop: loop, source: source, command: commands[source]!, log: { log("upstream \(source): \($0)") },
        onMessage: onMessage, onEnd: onEnd)
    }
    upstreams.onDemand = Set(onDemand.keys)
    return upstreams
  }

  private static func randomEpoch() throws -> UInt64 {
    max(1, try Process.randomBytes(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
  }
}
