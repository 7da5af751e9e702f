internal import Dates
internal import Engine
internal import Messages
internal import RPC
public import UV
internal import Store

/// The daemon: a store, an engine, and the services that clients call.
public enum Daemon {
  /// The version told to clients.
  public static let version = "0.1.0"

  /// Where everything is.
  public struct Configuration {
    /// The store's file; its folder is made where it is missing.
    public var storePath: String
    public var transport: TransportConfiguration
    /// The file of the token for TCP; made if it is missing.
    public var tokenPath: String

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
  /// - Throws: `StoreError`, `TransportError` or `UVError`, each a sentence for the person who starts the daemon.
  public static func run(_ configuration: Configuration, ready: (SocketAddress?) -> Void) throws {
    let loop = try Loop()
    defer {
      // The loop has run dry, or nothing was ever opened on it: closing it cannot fail.
      try? loop.close()
    }
    if let folder = FileSystem.parent(of: configuration.storePath) { try FileSystem.makeDirectories(folder) }
    let store = try openStore(configuration.storePath)
    let driver = try EngineDriver(
      loop: loop, storePath: configuration.storePath, epoch: store.epoch, revision: store.revision)
    defer { driver.close() }
    let importers = try ImportThread(loop: loop)
    defer { importers.close() }
    try serve(loop, driver, importers, configuration, ready)
  }

  private static func serve(
    _ loop: Loop, _ driver: EngineDriver, _ importers: ImportThread, _ configuration: Configuration,
    _ ready: (SocketAddress?) -> Void
  ) throws {
    let tokens = configuration.transport.listen == nil ? nil : try TokenVerifier(file: configuration.tokenPath)
    let registry = ServiceRegistry(tokens: tokens)
    let accounts = Accounts(driver: driver)
    let daemonService = DaemonService(driver: driver, accounts: accounts, storePath: configuration.storePath)
    registry.register(
      ViewService(
        driver: driver, accounts: accounts, zones: Zones(),
        requestLimit: configuration.transport.limits.receivedMessageBytes))
    registry.register(StackService(driver: driver, accounts: accounts))
    registry.register(TimelineService(driver: driver, accounts: accounts, importers: importers))
    registry.register(daemonService)
    let health = HealthService(services: registry.serviceNames)
    registry.register(health)
    let transport = try Transport(loop: loop, configuration: configuration.transport, registry: registry)
    let stop = {
      health.setAll(.notServing)
      health.endWatches()
      driver.endViews(EngineError(.unavailable, "the daemon is shutting down"))
      transport.shutDown { loop.stop() }
    }
    daemonService.connectionCount = { transport.openConnections }
    daemonService.stop = stop
    let interrupt = try Signal(loop: loop, .interrupt, stop)
    let terminate = try Signal(loop: loop, .terminate, stop)
    ready(transport.tcpAddress)
    loop.run()
    interrupt.close()
    terminate.close()
  }

  /// Opens the store once before anybody connects, so that a mistake is told to the person who starts the daemon.
  private static func openStore(_ path: String) throws -> (epoch: UInt64, revision: UInt64) {
    let seed = try Process.randomBytes(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    let store = try PostStore(path: path, epoch: max(1, seed))
    return (store.epoch, store.revision)
  }
}
