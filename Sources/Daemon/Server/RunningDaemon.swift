internal import Dates
internal import Engine
internal import Messages
internal import RPC
internal import Store
public import UV

/// The daemon's parts on a loop that somebody else runs: a store, an engine, the services that clients call, and the listeners.
///
/// Clients can connect as soon as it is made. Its end has two steps: ``stop()``, while the loop runs, and ``close()`` after
/// ``onStopped``.
public final class RunningDaemon {
  /// Called on the loop, once, when the last connection is closed after ``stop()`` or DaemonService.Stop.
  public var onStopped: () -> Void = {}

  private let lock: FileLock?
  /// Opened once before anybody connects, so that a mistake is told to the person who starts the daemon. It is only held: the last
  /// connection to close moves the log into the file, and this one would do so before the others are open.
  private let store: PostStore
  private let driver: EngineDriver
  private let importers: ImportThread
  private let health: HealthService
  private let transport: Transport

  /// Opens the store and listens.
  ///
  /// - Throws: `StoreInUse`, `StoreError`, `TransportError` or `UVError`, each a sentence for the person who starts the daemon. Nothing is
  ///   left running then.
  public init(loop: Loop, _ configuration: Daemon.Configuration) throws {
    let tokens = configuration.transport.listen == nil ? nil : try TokenVerifier(file: configuration.tokenPath)
    if let folder = FileSystem.parent(of: configuration.storePath) { try FileSystem.makeDirectories(folder) }
    lock = try StoreLock.take(configuration.storePath)
    store = try Self.openStore(configuration.storePath)
    driver = try EngineDriver(
      loop: loop, storePath: configuration.storePath, epoch: store.epoch, revision: store.revision)
    do {
      importers = try ImportThread(loop: loop)
    } catch {
      driver.close()
      throw error
    }
    let accounts = Accounts(driver: driver)
    let daemonService = DaemonService(driver: driver, accounts: accounts, storePath: configuration.storePath)
    let registry = ServiceRegistry(tokens: tokens)
    registry.register(
      ViewService(
        driver: driver, accounts: accounts, zones: Zones(),
        requestLimit: configuration.transport.limits.receivedMessageBytes))
    registry.register(StackService(driver: driver, accounts: accounts))
    registry.register(TimelineService(driver: driver, accounts: accounts, importers: importers))
    registry.register(daemonService)
    health = HealthService(services: registry.serviceNames)
    registry.register(health)
    registry.registerReflection()
    do {
      transport = try Transport(loop: loop, configuration: configuration.transport, registry: registry)
    } catch {
      importers.close()
      driver.close()
      throw error
    }
    daemonService.connectionCount = { [unowned transport] in transport.openConnections }
    daemonService.stop = { [unowned self] in stop() }
  }

  /// Where the TCP listener ended up, if there is one: tells the port that the kernel chose for port 0.
  public var tcpAddress: SocketAddress? { transport.tcpAddress }

  /// Stops listening, lets the calls that are open end for as long as the configuration allows, ends the rest with UNAVAILABLE,
  /// and calls ``onStopped``. Asking twice is harmless.
  public func stop() {
    health.setAll(.notServing)
    health.endWatches()
    driver.endViews(EngineError(.unavailable, "the daemon is shutting down"))
    transport.shutDown { [self] in onStopped() }
  }

  /// Lets the store finish what it was given (blocking the loop), and lets go of everything on the loop.
  public func close() {
    importers.close()
    driver.close()
    lock?.unlock()
  }

  private static func openStore(_ path: String) throws -> PostStore {
    let seed = try Process.randomBytes(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return try PostStore(path: path, epoch: max(1, seed))
  }
}
