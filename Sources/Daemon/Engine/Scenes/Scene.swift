internal import Dates
internal import Posts
internal import ViewState

/// What views with the same session, layout and viewport show. It is computed once for all of them, and so is the way
/// from one state of it to the next: a post that reaches five thousand views at the top of the same timeline is laid
/// out, compared and encoded once.
struct Scene {
  /// Where a view looks in one pane, and which rows around that it holds.
  struct Place: Equatable {
    /// The row whose place is given; nil for the first row of the pane.
    var anchor: PostID?
    /// Where that row stands, so that the next one takes its place when it goes (rule 34); nil without an anchor.
    var key: OrderKey?
    /// Line of the anchor row that is the first shown; below 0 so many lines above its first one, where what is first
    /// shown is no anchor.
    var line = 0
    /// Where in the text of the anchor row the word is that was first when the layout changed: while only layouts
    /// change, the line with that word stays the first. Nil once the client has said where it is.
    var word: Int?
    /// It is not the place that the client named: the layout changed, or the row has gone.
    var isMoved = false
  }

  /// The window of a pane as it was last chosen: it stays while the viewport is far enough from its edges.
  struct Span {
    /// The first row held.
    var top: OrderKey
    /// The last row held.
    var bottom: OrderKey
  }

  /// Which way a reader goes: the window reaches further that way.
  enum Direction { case none, up, down }

  /// What makes two scenes one.
  struct Identity: Hashable {
    var session: SessionKey
    var layout: LayoutParameters
    /// By pane: the anchor and its line, as they were asked for.
    var anchors: [UInt64: [Int64]] = [:]
  }

  /// A state that was turned into another one for a view, and how.
  struct Step {
    let from: Shown
    let to: Shown
    /// The state it leads to: `to`, or one on the way there where the whole would be too large for a frame.
    let reached: Shown
    let body: FrameBody
  }

  /// What the clock of a pane told last.
  struct Face: Equatable {
    var instant: Instant
    var turn: PaneClock.Turn
  }

  var identity: Identity
  var zone: Zone
  /// The language of labels.
  let locale: Locale
  /// Stands for how rows are laid out and labelled; not 0.
  var layoutKey: UInt64
  /// By pane; a pane that is not named is at its beginning.
  var places: [UInt64: Place] = [:]
  /// By pane: the height of the day's line above its anchor row that ``Place/line`` is counted with; not said where
  /// that is not known.
  var anchorDays: [UInt64: Int] = [:]
  /// By pane that was moved of late: until when its clock is seen.
  var moving: [UInt64: Instant] = [:]
  /// By pane whose clock is seen.
  var faces: [UInt64: Face] = [:]
  /// By pane.
  var spans: [UInt64: Span] = [:]
  var direction = Direction.none
  /// A pane whose viewport jumped: the next state holds what is visible of it, the one after it the rest.
  var jumpedPane: UInt64?
  /// Resting position of the stack (``PaneGeometry``).
  var position = 0
  /// Panes of the stack that it follows; none before the session is loaded.
  var knownPanes: [UInt64] = []
  /// By pane that has gone but may come back: where it was looked at.
  var shelved: [UInt64: RowAnchor] = [:]
  /// By pane: where it is to be looked at once that row is loaded.
  var arriving: [UInt64: RowAnchor] = [:]

  /// Who shows it.
  var members: [ViewSlot] = []
  /// Counts what may have changed what it shows.
  var version: UInt64 = 1
  /// What it shows as of `shownVersion`, and whether more of the same change is to follow.
  var shown = Shown.nothing
  var shownVersion: UInt64 = 0
  var hasMore = false
  /// The heights of rows that what it shows is measured by.
  var heights: [HeightsKey] = []
  /// The lists of the panes that are seen.
  var lists: [ListKey] = []
  /// The earliest instant at which a label of it reads differently; nil for never.
  var labelsChangeAt: Instant?
  /// The last steps that were made of it, newest first.
  var steps: [Step] = []

  /// A scene nobody shows yet.
  init(_ identity: Identity, zone: Zone, locale: Locale, layoutKey: UInt64) {
    self.identity = identity
    self.zone = zone
    self.locale = locale
    self.layoutKey = layoutKey
  }

  /// Whether this scene is at the same place as another with its identity, so that one can stand for both.
  func isSame(as other: Scene) -> Bool {
    places == other.places && moving == other.moving && position == other.position && knownPanes == other.knownPanes
      && shelved == other.shelved && arriving == other.arriving
  }

  /// Goes from the panes that are known to others: where the topmost is new it shows whole (rule 10), otherwise the
  /// position is the greatest valid one not above the old (rule 14).
  mutating func follow(_ panes: [UInt64], _ geometry: PaneGeometry) {
    let isPushed = panes.last.map { !knownPanes.contains($0) } ?? false
    position = isPushed ? geometry.positionAfterPush : geometry.position(notAbove: position)
    guard panes != knownPanes else { return }
    knownPanes = panes
    places = places.filter { panes.contains($0.key) }
    arriving = arriving.filter { panes.contains($0.key) }
    spans = spans.filter { panes.contains($0.key) }
    anchorDays = anchorDays.filter { panes.contains($0.key) }
    moving = moving.filter { panes.contains($0.key) }
    faces = faces.filter { panes.contains($0.key) }
  }
}

/// A state that views show. Immutable; those who hold the same state hold the same object.
final class Shown: Sendable {
  /// Without the numbers that are a view's own: revision, generations.
  let snapshot: ViewSnapshot

  /// A view that holds nothing.
  static let nothing = Shown(ViewSnapshot())

  init(_ snapshot: ViewSnapshot) { self.snapshot = snapshot }

  /// Whether a client could tell them apart, by anything but the instant they were made for.
  func looks(like other: ViewSnapshot) -> Bool {
    snapshot.layoutKey == other.layoutKey && snapshot.sessionRevision == other.sessionRevision
      && snapshot.position == other.position
      && snapshot.paneFrames == other.paneFrames && snapshot.panes == other.panes
      && snapshot.navigation == other.navigation
  }
}
