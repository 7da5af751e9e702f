internal import Dates
internal import Engine
internal import Messages
internal import Posts
internal import RPC
internal import Store
internal import ViewState

/// `stack.v1.DaemonService`: the daemon itself.
final class DaemonService: Service {
  static let name = "stack.v1.DaemonService"

  private let driver: EngineDriver
  private let system: any SystemFacts
  private let storePath: String
  private let upkeep: StoreUpkeep
  private let pruner: StorePruner
  private let disk: DiskWatch
  private let startedAt: Int64
  /// Returns the number of open connections.
  var connectionCount: () -> Int = { 0 }
  /// Returns how accounts come to be followed.
  var followPolicy: () -> FollowPolicy = { .ask }
  /// Stops the daemon.
  var stop: () -> Void = {}

  init(
    driver: EngineDriver, system: any SystemFacts, storePath: String, upkeep: StoreUpkeep, pruner: StorePruner,
    disk: DiskWatch
  ) {
    (self.upkeep, self.pruner, self.disk) = (upkeep, pruner, disk)
    self.driver = driver
    self.system = system
    self.storePath = storePath
    startedAt = driver.now.milliseconds
  }

  var methods: [String: ServiceMethod] {
    [
      // Administrators look and stop whatever waits.
      Method.getStatus: .request(.view, responseBytes: 0) { [unowned self] call, _ in { self.status($0, call) } },
      Method.checkIntegrity: .command(EmptyMessage.self, .admin) { [upkeep] _, _, answer in
        upkeep.check { result in
          answer(
            result.map { findings in
              var response = CheckIntegrityResponse()
              response.findings = findings
              return response
            })
        }
      },
      Method.backup: .command(BackupRequest.self, .admin) { [upkeep] request, _, answer in
        upkeep.copy(to: request.path) { answer($0.map { BackupResponse(path: request.path, bytes: UInt64($0)) }) }
      },
      Method.getStore: .command(EmptyMessage.self, .admin) { [unowned self] _, _, answer in getStore(answer) },
      Method.setRetention: .command(SetRetentionRequest.self, .admin) { [unowned self] request, _, answer in
        limit(.rule(KeepRule(request.keep), source: request.source), answer)
      },
      Method.setStoreLimit: .command(SetStoreLimitRequest.self, .admin) { [unowned self] request, _, answer in
        limit(.size(Int(clamping: request.limitBytes)), answer)
      },
      Method.stop: .oneRequest { [unowned self] call, _ in stop(call) },
    ]
  }

  private func status(_ caller: Caller, _ call: ServerCall) {
    let account = caller.account
    var status = DaemonStatus()
    status.daemonVersion = Release.version
    status.startedAtMilliseconds = startedAt
    status.epoch = driver.engine.epoch
    status.revision = driver.engine.revision
    status.account = account.name
    status.follows = followPolicy()
    // Other accounts' activity and local paths are for administrators only.
    if caller.scopes.contains(.admin) {
      status.processID = UInt32(system.processID)
      status.viewCount = driver.engine.viewCount
      status.connectionCount = connectionCount()
      status.storePath = storePath
    }
    let timeline = driver.engine.timelineStatus(of: account.id)
    // A timeline that no view has opened has nothing to load.
    status.isLoaded = timeline?.isLoaded ?? true
    if let timeline, timeline.isLoaded {
      status.postCount = UInt64(timeline.count)
      return call.finish(message: status.encoded())
    }
    driver.readStore(.load(.page(.home(account.id), before: nil, limit: 0))) { outcome in
      switch outcome {
      case .loaded(.page(let page)):
        status.postCount = UInt64(page.total)
        call.finish(message: status.encoded())
      case .loaded(.failed(let error)): call.finish(Status(error))
      default: call.finish(Status(.internal, "the store returned no count"))
      }
    }
  }

  private func getStore(_ answer: @escaping (Result<StoreStatus, EngineError>) -> Void) {
    driver.ask { reader throws(EngineError) in
      try StoreLookup.attempt { () throws(StoreError) in (size: try reader.size(), kept: try reader.keptSources()) }
    } _: { [storePath, disk] (result: Result<(size: StoreSize, kept: [KeptSource]), EngineError>) in
      answer(
        result.map { size, kept in
          var status = StoreStatus()
          status.path = storePath
          (status.fileBytes, status.usedBytes) = (UInt64(clamping: size.fileBytes), UInt64(clamping: size.usedBytes))
          status.limitBytes = UInt64(clamping: size.limit)
          status.freeDiskBytes = disk.measure() ?? 0
          status.isDiskShort = disk.isShort
          status.sources = Dictionary(grouping: kept, by: \.source).sorted { $0.key < $1.key }.map { source, all in
            let keep = Keep(all.first { $0.feed == 0 }?.rule ?? .everything)
            let removed = UInt64(clamping: all.reduce(0) { $0 + $1.removed })
            return KeptSourceSummary(source: source, Retention(keep, removedPosts: removed))
          }
          return status
        })
    }
  }

  private func limit(_ change: RetentionChange, _ answer: @escaping (Result<EmptyMessage, EngineError>) -> Void) {
    driver.write(.retain(change)) { [pruner] result in
      if case .success = result { pruner.limitsChanged() }
      answer(result.map { _ in EmptyMessage() })
    }
  }

  private func stop(_ call: ServerCall) {
    guard case .localUser(let uid, _) = call.peer, uid == system.effectiveUserID || uid == 0 else {
      return call.finish(
        Status(.permissionDenied, "only the user who runs the daemon may stop it, over the Unix socket"))
    }
    call.finish(message: EmptyMessage().encoded())
    stop()
  }
}
