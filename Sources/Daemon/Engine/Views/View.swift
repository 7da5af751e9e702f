internal import Dates
internal import Posts
internal import ViewState

/// One attached client: what it shows, what it holds, and when it may be sent something.
///
/// There is no queue: a view is the state it is assumed to hold and a mark that it may be behind. What it missed is found by
/// diffing when a frame can be sent (protocol.md, section 5).
struct View {
  /// Where a view looks in one pane.
  struct Place: Equatable {
    /// The row whose place is given; nil for the newest row's side of the list.
    var anchor: PostID?
    /// Where that row stands, so that the next one takes its place when it goes (rule 34).
    var key: OrderKey?
    /// Line of the anchor row that is the first shown.
    var line = 0
  }

  let id: ViewID
  let session: SessionKey
  let acknowledges: Bool
  var layout: LayoutParameters
  var zone: Zone
  /// By pane; a pane that is not named is at its beginning.
  var places: [UInt64: Place] = [:]
  /// Resting position of the stack (``PaneGeometry``).
  var position = 0
  /// Panes that are not covered, which share a frame's bytes.
  var shownPanes = 1
  /// Panes at the last look, to notice pushes.
  var knownPanes: [UInt64] = []

  /// The newest viewport the client sent, until the next frame takes it.
  var pendingViewport: ViewportParameters?

  /// What the client holds once it has everything sent.
  var held = ViewSnapshot()
  var layoutGeneration: UInt32 = 1
  var viewportGeneration: UInt32 = 0
  /// Number of the last frame sent; 0 before the first.
  var sentFrame: UInt64 = 0
  var acknowledgedFrame: UInt64 = 0
  /// What it should show may differ from what it holds.
  var isDirty = true
  /// The next frame answers the view's own command and does not wait.
  var isUrgent = true
  /// The shell has been told that there is something to send.
  var isReady = false
  /// When the last frame left.
  var sentAt: Instant?
  /// The earliest instant at which a label of the window reads differently; nil for never.
  var labelsChangeAt: Instant?

  init(id: ViewID, opening: ViewOpening) {
    self.id = id
    session = opening.session
    acknowledges = opening.acknowledges
    layout = opening.layout
    zone = opening.zone
  }

  /// Whether the client can take another frame now.
  func hasRoom(_ limits: EngineLimits) -> Bool {
    !acknowledges || sentFrame - acknowledgedFrame < UInt64(limits.unacknowledgedFrames)
  }

  /// When the next frame may leave: an interval after the last, or nil for at once.
  func nextLeaving(_ limits: EngineLimits) -> Instant? {
    isUrgent ? nil : sentAt?.adding(milliseconds: limits.frameIntervalMilliseconds)
  }

  /// Whether the next frame may leave now. A clock that was set back makes every frame due.
  func mayLeave(_ limits: EngineLimits, at now: Instant) -> Bool {
    nextLeaving(limits).map { $0 <= now } ?? true || clockWentBack(at: now)
  }

  /// Whether it may show something else than it holds: something changed, a label does now, or the clock was set back, which
  /// changes every label (rule 26).
  func isBehind(at now: Instant) -> Bool {
    isDirty || labelsChangeAt.map { $0 <= now } ?? false || clockWentBack(at: now)
  }

  private func clockWentBack(at now: Instant) -> Bool { sentAt.map { $0 > now } ?? false }
}
