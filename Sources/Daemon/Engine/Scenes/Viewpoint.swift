internal import Dates
internal import Posts
internal import ViewState

/// A scene's point of view: the position of its stack, and the first visible line of each pane. It survives layout
/// changes.
struct Viewpoint {
  /// First visible line of a pane.
  struct Place: Equatable {
    /// The anchor row; nil for the first row of the pane.
    var anchor: PostID?
    /// Position of that row, so that the next one takes its place when it goes (docs/BEHAVIOUR.md, rule 34); nil
    /// without an anchor.
    var key: OrderKey?
    /// First visible line of the anchor row. Negative: so many lines above the row's first, where the first visible row
    /// cannot be an anchor.
    var line = 0
    /// Byte, in the text of the anchor row, of the word that was first when the layout changed: while only layouts
    /// change, the line with that word stays first. Nil once the client has named a place.
    var word: Int?
    /// True if it is not the place that the client named: the layout changed, or the row is gone.
    var isMoved = false

    /// The first row of the pane, in place of an unknown one that the client named.
    static let beginning = Place(isMoved: true)
  }

  /// Window of a pane as it was last chosen: it stays while the viewport is far enough from its edges.
  struct Span {
    /// The first row held.
    var top: OrderKey
    /// The last row held.
    var bottom: OrderKey
  }

  /// Direction in which a reader moves: the window reaches further that way.
  enum Direction { case none, up, down }

  /// Last state of a pane's clock.
  struct Face: Equatable {
    var instant: Instant
    var turn: PaneClock.Turn
  }

  /// Places by pane; a pane without one is at its beginning.
  var places: [UInt64: Place] = [:]
  /// Heights, by pane, of the day line above the anchor row that ``Place/line`` includes; missing while unknown.
  var anchorDays: [UInt64: Int] = [:]
  /// Instants until which the clocks of recently moved panes are visible, by pane.
  var moving: [UInt64: Instant] = [:]
  /// Clock states by pane, for visible clocks.
  var faces: [UInt64: Face] = [:]
  /// Windows by pane.
  var spans: [UInt64: Span] = [:]
  var direction = Direction.none
  /// The pane whose viewport jumped: the next state holds its visible rows, the one after it the rest.
  var jumpedPane: UInt64?
  /// Resting position of the stack (``PaneGeometry``).
  var position = 0
  /// The post that is previewed until the conversation of another is loaded; nil for none.
  var formerPreview: PostID?
  /// Panes of the stack it shows; empty before the session is loaded.
  var knownPanes: [UInt64] = []
  /// Anchors, by pane, of removed panes that may come back.
  var shelved: [UInt64: RowAnchor] = [:]
  /// Anchors, by pane, that are resolved once their rows are loaded.
  var pendingAnchors: [UInt64: RowAnchor] = [:]

  /// Returns true if two scenes with the same identity look at the same place.
  func isSame(as other: Viewpoint) -> Bool {
    places == other.places && moving == other.moving && position == other.position && knownPanes == other.knownPanes
      && shelved == other.shelved && pendingAnchors == other.pendingAnchors
  }

  /// Switches to other panes. A new topmost pane is shown whole; otherwise the position becomes the greatest valid one
  /// not above the old (docs/BEHAVIOUR.md, rules 10 and 14). Places in previews stay.
  mutating func adoptPanes(_ panes: [UInt64], _ geometry: PaneGeometry, beside previews: [UInt64]) {
    let isPushed = panes.last.map { !knownPanes.contains($0) } ?? false
    position = isPushed ? geometry.positionAfterPush : geometry.position(notAbove: position)
    guard panes != knownPanes else { return }
    knownPanes = panes
    forgetPanes { panes.contains($0) || previews.contains($0) }
  }

  /// Forgets all panes but some.
  mutating func forgetPanes(except isKept: (UInt64) -> Bool) {
    places = places.filter { isKept($0.key) }
    pendingAnchors = pendingAnchors.filter { isKept($0.key) }
    spans = spans.filter { isKept($0.key) }
    anchorDays = anchorDays.filter { isKept($0.key) }
    moving = moving.filter { isKept($0.key) }
    faces = faces.filter { isKept($0.key) }
  }

  /// Keeps the first visible line of a pane in place when its anchor row loses or gains a day line (docs/BEHAVIOUR.md,
  /// rule 34).
  mutating func keepLine(of paneID: UInt64, beside row: PlacedRow) {
    let height = row.day?.height ?? 0
    if let then = anchorDays[paneID], then != height {
      places[paneID]?.line += height - then
      places[paneID]?.isMoved = true
    }
    anchorDays[paneID] = height
  }
}

extension Viewpoint.Place {
  /// Returns the same place in a row that is laid out differently: the line with the first word is first; a place above
  /// the text keeps its distance from the row's top, one below it from the row's end.
  func carried(from old: RowLines, to new: RowLines) -> Viewpoint.Place {
    var place = self
    place.word = word ?? old.word(atLine: line)
    if let word = place.word {
      place.line = new.line(ofWord: word)
    } else if line < old.line(ofWord: 0) {
      place.line = min(line, new.height - 1)
    } else {
      place.line = max(0, new.height - (old.height - line))
    }
    place.isMoved = isMoved || place.line != line
    return place
  }

  /// Keeps the line of the anchor row, clamped to a row that has become shorter, and forgets a word that is not on that
  /// line any more.
  mutating func stay(in row: LaidOutRow, _ key: LayoutKey, dayHeight: Int) {
    guard line > 0 else { return }
    let last = dayHeight + row.layout.height - 1
    if line > last { (line, isMoved) = (max(0, last), true) }
    guard let word else { return }
    let text = line - dayHeight - key.heightAboveText(isRepost: row.content.fields.repostedBy != nil)
    let number = row.layout.lineNumber(ofWord: word)
    if text < 0 || text / key.lineHeight != number { self.word = nil }
  }
}
