public import Dates
internal import OrderedCollections
public import Posts
internal import Search
internal import ViewState

/// The daemon's state machine as a value: inputs in, effects out. It has no clock, file or socket.
///
/// The shell passes in each input with the instant at which it happened (``handle(_:at:)``), carries out the effects,
/// arms one timer for ``nextDeadline``, and fetches frames when a view's stream can carry them (``nextFrame(of:at:)``).
/// The same inputs at the same instants give the same effects and frames in every process: nothing iterates a
/// dictionary whose order differs between runs.
public struct StackEngine: ~Copyable {
  /// Changes only when continuity is lost.
  public let epoch: UInt64
  /// Revision of the last commit seen.
  public internal(set) var revision: UInt64

  let limits: EngineLimits
  var lists: ListTable
  var sessions: SessionTable
  var views = ViewTable()
  var scenes: SceneTable
  var navigations: NavigationTable
  var loads: LoadTable

  /// Current time, and the instant that labels are made for.
  var time = EngineTime()
  /// Instant of the engine's last call.
  var now: Instant { time.now }
  /// The instant that labels are made for.
  var labelTime: LabelTime { LabelTime(instant: frozenAt ?? now, isFrozen: frozenAt != nil) }
  /// Fixed instant that labels are made for; nil to follow the clock.
  public var frozenAt: Instant? {
    get { time.frozenAt }
    set { time.frozenAt = newValue }
  }
  /// Effects of the input being handled.
  var effects: [Effect] = []
  /// Decides when views may receive frames.
  var pacing: Pacing
  /// Number of times a pane's rows were gathered for a view. Covered panes are never gathered (docs/BEHAVIOUR.md, rule
  /// 13).
  public var gatheredPanes: UInt64 { scenes.gatheredPanes }

  /// Creates the engine of a store at `revision`.
  public init(epoch: UInt64, revision: UInt64, limits: EngineLimits = EngineLimits()) {
    self.epoch = epoch
    self.revision = revision
    self.limits = limits
    pacing = Pacing(limits: limits)
    let fingerprint = Fingerprint(epoch: epoch)
    lists = ListTable(limits: limits, fingerprint: fingerprint)
    scenes = SceneTable(fingerprint: fingerprint, limits: limits)
    sessions = SessionTable(limits: limits)
    navigations = NavigationTable(limits: limits)
    loads = LoadTable(limits: limits)
  }

  /// Returns the post whose conversation a pane shows to views of a session; nil if it shows something else, or to none.
  public func conversation(in pane: UInt64, of key: SessionKey) -> PostID? {
    guard let session = sessions[key], session.hasViews, let content = session.stack.pane(pane)?.content,
      case .conversation(let post) = content
    else { return nil }
    return post
  }

  /// Handles one input and returns the effects to carry out, in order.
  public mutating func handle(_ input: Input, at now: Instant) -> [Effect] {
    effects = []
    setClock(to: now)
    let before = revision
    switch input {
    case .viewOpened(let id, let opening): open(id, opening)
    case .viewportMoved(let id, let viewport): if let view = views.slot(of: id) { move(view, to: viewport) }
    case .layoutChanged(let id, let layout, let zone, let count):
      if let view = views.slot(of: id) { relayout(view, layout, zone, count) }
    case .previewChosen(let id, let post): if let view = views.slot(of: id) { preview(post, in: view) }
    case .acknowledged(let id, let frame): if let view = views.slot(of: id) { acknowledge(view, frame) }
    case .progressed(let id): if let view = views.slot(of: id) { pacing.progress(view, at: now) }
    case .viewClosed(let id): if let view = views.slot(of: id) { close(view) }
    case .stackCommand(let token, let key, let command): enqueue(command, token, key)
    case .stackMoved(let token, let id, let command): slide(id, command, token)
    case .sessionsRequested(let token, let account): load(.sessions(account), for: .sessions(token, account))
    case .rowsRequested(let token, let request): rowsRequested(request, token)
    case .committed(let commit): receive(commit)
    case .sessionSaved(let key, let result): sessionSaved(key, result)
    case .placesSaved(let key, let result): placesSaved(key, result)
    case .seenNotSaved(let account, let section): navigations.notSaved(account, section, at: now)
    case .loaded(let id, let result): loaded(id, result)
    case .timePassed:
      for slot in scenes.heights.measureSlice(of: &lists.open, at: now) { touch(slot, isCommit: false) }
    case .flush:
      savePlaces(atMost: .max)
      saveSeen(isLast: true)
    }
    if revision != before { pacing.revisionMoved(at: now) }
    ringAlarms()
    refreshNavigation()
    let ready = pacing.takeReady()
    if !ready.isEmpty { effects.append(.viewsReady(ready)) }
    return effects
  }

  /// Instant at which to call ``handle(_:at:)`` with `.timePassed`, even if nothing else happens; nil while nothing
  /// changes by itself. Always nil while no view is open.
  public var nextDeadline: Instant? {
    guard !views.isEmpty else { return nil }
    let alarms = EngineTime.earlier(scenes.nextLabels, EngineTime.earlier(sessions.placesDue, navigations.seenDue))
    return EngineTime.earlier(scenes.heights.isMeasuring ? now : nil, EngineTime.earlier(alarms, pacing.nextDeadline))
  }

  /// Number of open views.
  public var viewCount: Int { views.count }

  /// Number of sessions in memory: those with views, or with something not stored yet.
  public var sessionCount: Int { sessions.count }

  /// Returns the number of posts in an account's timeline, hidden ones included, and whether all of them are loaded;
  /// nil if the timeline is not open.
  public func timelineStatus(of account: AccountID) -> (count: Int, isLoaded: Bool)? {
    lists[.home(account)].map { ($0.entryCount, $0.isComplete) }
  }

  mutating func load(_ load: Load, for purpose: LoadPurpose) {
    effects.append(.load(loads.issue(load, for: purpose, at: revision), load))
  }

  // MARK: Time

  /// Longest delay of a call before it means that the machine slept or the clock was set. Clients could do nothing in
  /// that time, so it does not count against them.
  private static let longestDelayMilliseconds: Int64 = 5_000

  /// Sets the current time.
  mutating func setClock(to instant: Instant) {
    let due = nextDeadline
    let previous = now
    time.now = instant
    if instant < previous { return clockWentBack() }
    if let due, due.adding(milliseconds: Self.longestDelayMilliseconds) < instant {
      pacing.forgive(at: instant)
    }
  }

  /// Handles a clock that was set back: any label may be wrong (docs/BEHAVIOUR.md, rule 26), and recorded instants lie
  /// in the future.
  private mutating func clockWentBack() {
    pacing.clockWentBack(to: now)
    sessions.clockWentBack(to: now)
    scenes.clockWentBack(clockHides: now.adding(milliseconds: limits.frames.clockMilliseconds))
    scenes.heights.clockWentBack(to: now)
    navigations.clockWentBack(to: now)
    for view in views.all { markBehind(view, isCommit: false) }
  }

  /// Handles everything that is due.
  mutating func ringAlarms() {
    while let id = pacing.nextDue(at: now) {
      if let view = views.slot(of: id) { announceIfReady(view) }
    }
    while let slot = scenes.nextChanged(by: now) { touch(slot, isCommit: false) }
    for finding in pacing.sweep(revision, at: now) {
      switch finding {
      case .blocked(let id): effects.append(.viewBlocked(id))
      case .stalled(let id): effects.append(.viewStalled(id))
      }
    }
    if let due = navigations.seenDue, due <= now { saveSeen(isLast: false) }
    if let due = sessions.placesDue, due <= now { savePlaces(atMost: limits.sessions.placesAtOnce) }
  }
}
