internal import Dates
internal import Posts
internal import ViewState

/// Where a scene looks: where its stack lies, and which line of which row is first in each pane. It stays when the
/// layout changes.
struct Viewpoint {
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

    /// The first row of the pane, instead of the place that the client named, of which nothing is known.
    static let beginning = Place(isMoved: true)
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

  /// What the clock of a pane told last.
  struct Face: Equatable {
    var instant: Instant
    var turn: PaneClock.Turn
  }

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

  /// Whether two scenes with the same identity look at the same.
  func isSame(as other: Viewpoint) -> Bool {
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

  /// Keeps the first line of a pane where it is when its anchor row loses or gains the line of a day above it (rule
  /// 34).
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
  /// The same place of a row that is cut in another way: the line with the word that was first is the first; what is
  /// above the text keeps its distance from the row's top, what is below from its end.
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

  /// Stays at the same line of the anchor row, which may have become shorter; a word that is not there any more is
  /// forgotten.
  mutating func stay(in row: LaidOutRow, _ key: LayoutKey, dayHeight: Int) {
    guard line > 0 else { return }
    let last = dayHeight + row.layout.height - 1
    if line > last { (line, isMoved) = (max(0, last), true) }
    guard let word else { return }
    let text = line - dayHeight - key.heightAboveText(isRepost: row.content.fields.repostedBy != nil)
    let number = row.layout.lineEnds.firstIndex { word < Int($0) } ?? row.layout.lineEnds.count - 1
    if text < 0 || text / key.lineHeight != number { self.word = nil }
  }
}
