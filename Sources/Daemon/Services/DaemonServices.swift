internal import Engine
internal import Messages
public import RPC
internal import Store

/// Everything of the daemon but its loop, its sockets and its signals: a store, an engine, and the services that
/// clients call.
///
/// Whoever runs it hands each call to ``registry``. Its end has two steps: ``endStreams()``, while the loop runs, and
/// ``close()`` after the last call.
public final class DaemonServices {
  /// Answers calls.
  public let registry: ServiceRegistry
  /// Tells how many connections are open.
  public var connectionCount: () -> Int = { 0 }
  /// Ends those open calls, of all connections, for which the second argument says so, with a status.
  public var endCalls: (Status, (ServerCall) -> Bool) -> Void = { _, _ in }
  /// Called when DaemonService.Stop asks for the daemon's end.
  public var onStopAsked: () -> Void = {}

  /// Opened once before anybody connects, so that a mistake is told to the person who starts the daemon. It is only
  /// held: the last connection to close moves the log into the file, and this one would do so before the others are
  /// open.
  private let store: PostStore
  private let driver: EngineDriver
  private let importers: ImportWorker
  private let health: HealthService
  private let upkeep: StoreUpkeep
  private let signedOut: SignedOutViews
  private var runners: [String: UpstreamRunner] = [:]

  /// A number to count views from that no earlier process is likely to have come to: a client that has not noticed a
  /// restart names no view of another. Below 2^53 for as long as anybody counts.
  private static func firstNumber(_ system: any SystemFacts) -> UInt64 {
    (system.randomBytes(6) ?? []).reduce(1) { $0 << 8 | UInt64($1) }
  }

  /// Opens the store at `place`.
  ///
  /// - Parameters:
  ///   - tokens: knows the tokens of callers that the kernel does not vouch for; without it those are refused.
  ///   - requestLimit: bytes of one request, told to clients.
  ///   - clock: what time it is taken to be.
  ///   - upstreams: the programs that tell sources elsewhere what is done here.
  /// - Throws: `StoreError`, or what `loop` throws. Nothing is left running then.
  public init(
    loop: any ServiceLoop, system: any SystemFacts, place: StorePlace, tokens: TokenVerifier?, requestLimit: Int,
    clock: DaemonClock = .system, upstreams: Upstreams = .none
  ) throws {
    store = try PostStore(path: place.path, epoch: place.epoch, vfs: place.vfs, durability: place.durability)
    let known = try (accounts: store.accounts(), tokens: store.tokenHashes())
    var place = place
    place.epoch = store.epoch
    place.upstreams = Set(upstreams.sources)
    driver = try EngineDriver(
      loop: loop, store: place, revision: store.revision, clock: clock, firstNumber: Self.firstNumber(system))
    do {
      importers = try ImportWorker(loop: loop)
      do {
        signedOut = try SignedOutViews(loop: loop)
      } catch {
        importers.close()
        throw error
      }
    } catch {
      driver.close()
      throw error
    }
    let admission = Admission(own: tokens, daemonUser: system.effectiveUserID)
    for (token, hash) in known.tokens { admission.add(token, digest: hash) }
    let accounts = Accounts(driver: driver, system: system, admission: admission, known: known.accounts)
    upkeep = StoreUpkeep(loop: loop, place: place)
    let daemonService = DaemonService(
      driver: driver, system: system, storePath: place.path, upkeep: upkeep)
    let accountService = AccountService(driver: driver, accounts: accounts, admission: admission, system: system)
    registry = ServiceRegistry(admission: admission, callers: accounts)
    registry.register(
      ViewService(
        driver: driver, zones: Zones(system: system), signedOut: signedOut, requestLimit: requestLimit))
    registry.register(StackService(driver: driver))
    registry.register(TimelineService(driver: driver, importers: importers))
    registry.register(ListService(driver: driver))
    registry.register(accountService)
    registry.register(daemonService)
    health = HealthService(services: registry.serviceNames)
    registry.register(health)
    registry.registerReflection()
    daemonService.connectionCount = { [unowned self] in connectionCount() }
    accountService.endStreams = { [unowned self] token, status in
      endCalls(status) { [registry] in registry.isStream($0, openedBy: token) }
    }
    daemonService.stop = { [unowned self] in onStopAsked() }
    try begin(upstreams, loop)
  }

  /// Starts what tells sources elsewhere.
  private func begin(_ upstreams: Upstreams, _ loop: any ServiceLoop) throws {
    do {
      for source in upstreams.sources {
        runners[source] = try UpstreamRunner(source, upstreams, loop: loop) { [driver] write, completion in
          driver.write(write) { completion($0.map(\.0)) }
        }
      }
    } catch {
      close()
      throw error
    }
    driver.onOutgoing = { [unowned self] sources in
      for source in sources.sorted() { runners[source]?.storeChanged() }
    }
  }

  /// Ends what would go on for ever: views and watches of the health service. New calls are still answered.
  public func endStreams() {
    health.setAll(.notServing)
    health.endWatches()
    driver.endViews(EngineError(.unavailable, "the daemon is shutting down", reason: .stopping))
  }

  /// Lets the store finish what it was given (blocking the loop), and lets go of everything on the loop.
  public func close() {
    driver.onOutgoing = { _ in }
    for runner in runners.values { runner.close() }
    runners = [:]
    importers.close()
    upkeep.close()
    signedOut.close()
    driver.close()
  }
}
