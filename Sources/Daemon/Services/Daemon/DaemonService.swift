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
  private let startedAt: Int64
  /// Returns the number of open connections.
  var connectionCount: () -> Int = { 0 }
  /// Returns how accounts come to be followed.
  var followPolicy: () -> FollowPolicy = { .ask }
  /// Stops the daemon.
  var stop: () -> Void = {}

  init(driver: EngineDriver, system: any SystemFacts, storePath: String, upkeep: StoreUpkeep) {
    self.upkeep = upkeep
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

  private func stop(_ call: ServerCall) {
    guard case .localUser(let uid, _) = call.peer, uid == system.effectiveUserID || uid == 0 else {
      return call.finish(
        Status(.permissionDenied, "only the user who runs the daemon may stop it, over the Unix socket"))
    }
    call.finish(message: EmptyMessage().encoded())
    stop()
  }
}
