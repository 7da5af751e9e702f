public import Dates
public import Posts
internal import ViewState

/// The daemon as a value: inputs in, effects out, no clock, no file, no socket.
///
/// The shell hands in what happened with the instant at which it did (``handle(_:at:)``), carries out the effects, arms one
/// timer for ``nextDeadline``, and takes frames when a view's stream can carry them (``nextFrame(of:at:)``). The same inputs
/// at the same instants give the same effects and frames.
public struct StackEngine {
  /// Changes only when continuity is lost.
  public let epoch: UInt64
  /// The number of the last commit seen.
  public internal(set) var revision: UInt64

  let limits: EngineLimits
  var cache: RowCache
  var lists: [ListKey: PostList] = [:]
  var sessions: [SessionKey: Session] = [:]
  var views: [ViewID: View] = [:]
  /// What each load under way is for.
  var loads: [LoadID: LoadPurpose] = [:]
  var nextLoad: UInt64 = 1
  /// The last commit that may have changed a conversation.
  var lastThreadRevision: UInt64 = 0
  /// Requests for rows that wait for a timeline to load.
  var waitingRows: [(token: RequestToken, request: RowsRequest)] = []
  /// Effects of the input being handled.
  var effects: [Effect] = []

  /// The engine of a store at `revision`.
  public init(epoch: UInt64, revision: UInt64, limits: EngineLimits = EngineLimits()) {
    self.epoch = epoch
    self.revision = revision
    self.limits = limits
    self.cache = RowCache(limits: limits)
  }

  /// Why a load was asked for.
  enum LoadPurpose {
    case timeline(ListKey)
    case conversation(ListKey)
    case session(SessionKey)
    case push(SessionKey)
    case rows(RequestToken, RowsRequest)
  }

  /// Takes one input and returns what to do, in order.
  public mutating func handle(_ input: Input, at now: Instant) -> [Effect] {
    effects = []
    switch input {
    case .viewOpened(let id, let opening): open(id, opening)
    case .viewportMoved(let id, let viewport): move(id, to: viewport)
    case .layoutChanged(let id, let layout, let zone): relayout(id, layout, zone)
    case .acknowledged(let id, let frame): acknowledge(id, frame)
    case .viewClosed(let id): close(id)
    case .stackCommand(let token, let key, let command): enqueue(command, token, key)
    case .rowsRequested(let token, let request): rowsRequested(request, token, at: now)
    case .committed(let commit): receive(commit)
    case .sessionSaved(let key, let result): sessionSaved(key, result)
    case .loaded(let id, let result): loaded(id, result, at: now)
    case .timePassed: break
    }
    announceReadyViews(at: now)
    return effects
  }

  /// The instant at which ``handle(_:at:)`` is to be called with `.timePassed`, whatever else happens; nil while nothing
  /// changes by itself. While nobody watches it is nil. O(views).
  public var nextDeadline: Instant? {
    var deadline: Instant?
    for view in views.values where !view.isReady && view.hasRoom(limits) {
      let due = view.isDirty ? view.nextLeaving(limits) : view.labelsChangeAt
      if let due, deadline.map({ due < $0 }) ?? true { deadline = due }
    }
    return deadline
  }

  /// Number of open views.
  public var viewCount: Int { views.count }

  /// Posts in an account's timeline, and whether all of them are loaded; nil where the timeline is not open.
  public func timelineStatus(of account: AccountID) -> (count: Int, isLoaded: Bool)? {
    lists[.home(account)].map { ($0.rowCount, $0.isComplete) }
  }

  mutating func load(_ load: Load, for purpose: LoadPurpose) {
    let id = LoadID(nextLoad)
    nextLoad += 1
    loads[id] = purpose
    effects.append(.load(id, load))
  }

  /// Tells the shell of every view that has something to send, may send it, and was not told of yet.
  private mutating func announceReadyViews(at now: Instant) {
    // A copy of the keys: with the dictionary's own the first change would copy all of it.
    for id in Array(views.keys) {
      guard let view = views[id], !view.isReady, view.hasRoom(limits), view.isBehind(at: now) else { continue }
      guard view.mayLeave(limits, at: now), isPresentable(view) else { continue }
      views[id]!.isDirty = true
      views[id]!.isReady = true
      effects.append(.viewReady(id))
    }
  }
}
