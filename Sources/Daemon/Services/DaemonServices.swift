internal import Engine
internal import Messages
public import RPC
internal import Store

/// The daemon without its loop, sockets and signals: a store, an engine, and the services that clients call.
///
/// The owner hands each call to ``registry``. Shutdown has two steps: ``endStreams()`` while the loop runs, and
/// ``close()`` after the last call.
public final class DaemonServices {
  /// Answers calls.
  public let registry: ServiceRegistry
  /// Returns the number of open connections.
  public var connectionCount: () -> Int = { 0 }
  /// Ends the open calls of all connections that match the predicate, with a status.
  public var endCalls: (Status, (ServerCall) -> Bool) -> Void = { _, _ in }
  /// Called when DaemonService.Stop requests shutdown.
  public var onStopRequested: () -> Void = {}

  /// Opened before any client connects, so that errors reach the person who starts the daemon. Only held afterwards:
  /// the last connection to close checkpoints the log into the file, and this one would do so before the others are
  /// open.
  private let store: PostStore
  private let driver: EngineDriver
  private let importers: ImportWorker
  private let measurer: MeasureWorker
  private let health: HealthService
  private let upkeep: StoreUpkeep
  private let pruner: StorePruner
  private let disk: DiskWatch
  private let signedOut: SignedOutViews
  private let sourceService: SourceService
  private let markers: MarkerKeeper
  private var runners: [String: UpstreamRunner] = [:]
  /// What a program that starts later needs. The driver must not hold it: it holds the driver.
  private var surroundings: UpstreamSurroundings?

  /// Returns a starting number for views that an earlier process is unlikely to have reached, so that a client that has
  /// not noticed a restart does not name another client's view. View numbers stay below 2^53.
  private static func firstNumber(_ system: any SystemFacts) -> UInt64 {
    (system.randomBytes(6) ?? []).reduce(1) { $0 << 8 | UInt64($1) }
  }

  /// Opens the store at `place`.
  ///
  /// - Parameters:
  ///   - tokens: verifies the daemon's own token; without it, callers that the kernel does not identify need an issued
  ///     one.
  ///   - requestLimit: maximum size of a request in bytes, reported to clients.
  ///   - clock: the daemon's clock.
  ///   - upstreams: the programs that carry commands to other sources.
  ///   - hasGroup: true if a group of users may connect.
  /// - Throws: `StoreError`, or what `loop` throws. Nothing is left running then.
  public init(
    loop: any ServiceLoop, system: any SystemFacts, place: StorePlace, tokens: TokenVerifier?, requestLimit: Int,
    clock: DaemonClock = .system, upstreams: Upstreams = .none, hasGroup: Bool = false
  ) throws {
    store = try PostStore(
      path: place.path, epoch: place.epoch, follows: place.follows, vfs: place.vfs, durability: place.durability)
    let known = try (accounts: store.accounts(), tokens: store.tokenHashes(), follows: store.followPolicy())
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
    let authenticator = Authenticator(own: tokens, daemonUser: system.effectiveUserID)
    for (token, hash) in known.tokens { authenticator.add(token, digest: hash) }
    let accounts = AccountDirectory(
      driver: driver, system: system, authenticator: authenticator, known: known.accounts, follows: known.follows)
    (upkeep, measurer) = (StoreUpkeep(loop: loop, place: place), MeasureWorker(loop: loop))
    (pruner, markers) = (StorePruner(driver: driver, loop: loop), MarkerKeeper(driver: driver, loop: loop))
    disk = DiskWatch(clock: { loop.monotonicClock }, system: system, path: place.path, log: upstreams.log)
    let daemonService = DaemonService(
      driver: driver, system: system, storePath: place.path, upkeep: upkeep, pruner: pruner, disk: disk)
    let accountService = AccountService(
      driver: driver, accounts: accounts, authenticator: authenticator, system: system)
    registry = ServiceRegistry(authenticator: authenticator, callers: accounts)
    registry.register(
      ViewService(
        driver: driver, measurer: measurer, zones: Zones(system: system), signedOut: signedOut,
        requestLimit: requestLimit, upstreams: Set(upstreams.sources)))
    registry.register(StackService(driver: driver))
    let timelineService = TimelineService(driver: driver, importers: importers) { hasGroup || accounts.all.count > 1 }
    registry.register(timelineService)
    registry.register(ListService(driver: driver))
    sourceService = SourceService(driver: driver, upstreams: upstreams, pruner: pruner, disk: disk)
    for service in [accountService, daemonService, sourceService] as [any Service] { registry.register(service) }
    health = HealthService(services: registry.serviceNames)
    registry.register(health)
    registry.registerReflection()
    sourceService.runner = { [unowned self] in runners[$0] }
    sourceService.hasRunners = { [unowned self] in !runners.isEmpty }
    connect(timelineService)
    daemonService.followPolicy = { accounts.follows }
    daemonService.connectionCount = { [unowned self] in connectionCount() }
    accountService.endStreams = { [unowned self] token, status in
      endCalls(status) { [registry] in registry.isStream($0, openedBy: token) }
    }
    daemonService.stop = { [unowned self] in onStopRequested() }
    let surroundings = makeSurroundings(accounts, system)
    self.surroundings = surroundings
    try startUpstreams(upstreams, loop, surroundings)
    disk.onChange = { [unowned sourceService] in sourceService.diskChanged() }
    driver.onWritten = { [unowned disk] in disk.look() }
    disk.look()
  }

  /// Returns what upstream programs need of the daemon.
  private func makeSurroundings(_ accounts: AccountDirectory, _ system: any SystemFacts) -> UpstreamSurroundings {
    let own = Peer.localUser(userID: system.effectiveUserID, processID: system.processID)
    return UpstreamSurroundings { [driver] write, completion in
      driver.write(write, completion)
    } ownAccount: { completion in
      accounts.find(own) { completion($0.map(\.account.id)) }
    } feeds: { [driver] selection, known, completion in
      driver.ask(
        { reader throws(EngineError) in
          try StoreLookup.attempt { () throws(StoreError) in try reader.feeds(selection, knowing: known) }
        }, completion)
    } now: { [driver] in
      driver.now
    }
  }

  /// Starts the upstream programs.
  private func startUpstreams(
    _ upstreams: Upstreams, _ loop: any ServiceLoop, _ surroundings: UpstreamSurroundings
  ) throws {
    do {
      if try store.hasRetention() { pruner.limitsChanged() }
      var sources = upstreams.sources
      if upstreams.onDemand.contains(StoredFeed.source), try !store.feeds(.page(after: 0, limit: 1)).isEmpty {
        sources.append(StoredFeed.source)
      }
      let withLogins = Set(try store.logins().map(\.source)).subtracting(sources)
      sources += upstreams.onDemand.intersection(withLogins).sorted()
      for source in sources { try startUpstream(source, upstreams, loop, surroundings) }
    } catch {
      close()
      throw error
    }
    sourceService.startedRunner = { [unowned self] in startedRunner($0, upstreams, loop) }
    // Most feeds are kept as all are.
    pruner.onChange = { [unowned sourceService] in sourceService.programSaid(StoredFeed.source, about: nil) }
    driver.onFeedsChanged = { [unowned self] changes in
      sourceService.feedsChanged(changes.changed.union(changes.restarted))
      if let runner = runners[StoredFeed.source] { return runner.feedsChanged(changes) }
      _ = startedRunner(StoredFeed.source, upstreams, loop)
    }
    markers.runners = { [unowned self] in runners.filter(\.value.keepsMarkers) }
    driver.onOutgoing = { [unowned self] outgoing in
      for (source, withdrawn) in outgoing.sorted(by: { $0.key < $1.key }) {
        if !withdrawn.isEmpty { runners[source]?.withdraw(withdrawn) }
        runners[source]?.storeChanged()
      }
    }
  }

  /// Gives a service what it asks of the programs of sources.
  private func connect(_ service: TimelineService) {
    service.postponement = { [unowned self] source, command in runners[source]?.postponement(of: command) }
    service.tellProgram = { [unowned self] source, notices in runners[source]?.tell(notices) }
  }

  /// Returns the program of a source, which is started if it is one that starts on demand; nil if there is none.
  private func startedRunner(_ source: String, _ upstreams: Upstreams, _ loop: any ServiceLoop) -> UpstreamRunner? {
    if let runner = runners[source] { return runner }
    guard upstreams.onDemand.contains(source), let surroundings else { return nil }
    do {
      try startUpstream(source, upstreams, loop, surroundings)
    } catch {
      upstreams.log("upstream \(source): could not be started: \(error)")
    }
    return runners[source]
  }

  private func startUpstream(
    _ source: String, _ upstreams: Upstreams, _ loop: any ServiceLoop, _ surroundings: UpstreamSurroundings
  ) throws {
    let runner = try UpstreamRunner(source, upstreams, loop: loop, surroundings)
    runner.onNews = { [unowned sourceService] in sourceService.programSaid(source, about: $0) }
    runner.onFeedsNamed = { [unowned sourceService] in sourceService.feedsChanged($0) }
    runner.onTaken = { [unowned markers] in markers.batchesStored($0, from: source) }
    runners[source] = runner
    sourceService.programSaid(source, about: nil)
  }

  /// The number of writes to the store that have an outcome, and whether another has none yet: a count that stands
  /// still while one waits means that the store does not get on.
  public var writing: (done: UInt64, isWaiting: Bool) {
    (driver.store?.writesDone ?? 0, driver.store?.isWriting ?? false)
  }

  /// Ends open-ended streams: views, and watches of health and sources. New calls are still answered.
  public func endStreams() {
    let stopping = EngineError(.unavailable, "the daemon is shutting down", reason: .stopping)
    health.setAll(.notServing)
    health.endWatches()
    sourceService.endWatches(Status(stopping))
    driver.endViews(stopping)
  }

  /// Lets the store finish its queued work (blocking the loop), and releases everything on the loop.
  public func close() {
    driver.onOutgoing = { _ in }
    driver.onFeedsChanged = { _ in }
    driver.onWritten = {}
    markers.close()
    sourceService.close()
    disk.onChange = {}
    pruner.onChange = {}
    for runner in runners.values { runner.close() }
    runners = [:]
    importers.close()
    pruner.close()
    upkeep.close()
    measurer.close()
    signedOut.close()
    driver.close()
  }
}
