public import Terminal
public import ViewState

/// Draws pictures of a view and of the client's position in it.
///
/// All layout comes from the daemon: panes lie where their frames say, and rows are as high and cut as they say. The
/// same snapshot and state always give the same picture.
///
/// From top to bottom: a line of titles, the rows, the status line. The navigation pane lies at the left, under the
/// panes. A pane is visible from its frame's left edge to where the next pane begins.
public struct ScreenPainter: Sendable {
  private let look: ScreenLook

  /// A painter with a theme and glyphs.
  public init(theme: Theme, glyphs: Glyphs) {
    look = ScreenLook(theme: theme, glyphs: glyphs)
  }

  /// Returns a picture of the whole screen. O(cells of the screen + rows held).
  public func picture(of snapshot: ViewSnapshot, _ state: ScreenState) -> Picture {
    var picture = Picture(columns: state.columns, lines: state.lines)
    guard state.columns >= ScreenState.least.columns, state.lines >= ScreenState.least.lines else {
      return tooSmall(picture)
    }
    let places = panePlaces(snapshot, state)
    let firstPane = places.lazy.filter { !$0.seen.isEmpty }.map(\.seen.lowerBound).min() ?? state.columns
    let menu = min(snapshot.panes.isEmpty ? snapshot.navigation.width : firstPane, state.columns)
    NavigationPainter(look: look).paint(snapshot.navigation, width: menu, state, on: &picture)
    for place in places where !place.seen.isEmpty {
      PanePainter(
        look: look, pane: place.pane, frame: place.frame, x: place.x, clip: place.seen, state: state,
        covered: place.covered, beyond: place.beyond, isCovered: place.isCovered, isCovering: place.isCovering,
        labelsAt: snapshot.labelsAtMilliseconds
      ).paint(on: &picture)
    }
    paintRest(places.map(\.seen), snapshot, state, on: &picture)
    let hasFoot = NavigationPlaces.hasFoot(snapshot.navigation, width: menu, lines: state.lines)
    StatusPainter(look: look).paint(snapshot, state, hasFoot: hasFoot, on: &picture)
    if let overlay = state.overlay {
      let pane = places.last { $0.pane.header.paneID == state.focused.paneID }?.frame.x ?? menu
      OverlayPainter(look: look, navigation: menu, pane: pane).paint(overlay, state, on: &picture)
    }
    picture.title = title(snapshot, state)
    return picture
  }

  /// The visible place of a pane.
  struct PanePlace {
    let pane: Pane
    let frame: PaneFrame
    let x: Int
    /// The visible columns; empty if the pane is covered, or outside the screen.
    var seen: Range<Int>
    /// The number of fully covered panes beneath it.
    var covered = 0
    /// The number of panes to the right of the screen, if this is the last visible one.
    var beyond = 0
    var isCovered = false
    /// True if it lies over a part of another pane.
    var isCovering = false
  }

  /// Returns the visible columns of each pane: from its left edge to where the next one begins, since panes further
  /// right lie above (docs/BEHAVIOUR.md, rule 9).
  func panePlaces(_ snapshot: ViewSnapshot, _ state: ScreenState) -> [PanePlace] {
    var panes: [UInt64: Pane] = [:]
    for pane in snapshot.panes { panes[pane.header.paneID] = pane }
    var places: [PanePlace] = []
    var end = state.columns
    var beyond = 0
    for frame in snapshot.paneFrames.reversed() {
      guard let pane = panes[frame.paneID] else { continue }
      let x = state.animation?.x(of: frame, at: state.clock.milliseconds) ?? frame.x
      let from = min(max(0, x), state.columns)
      let to = min(max(from, x + frame.width), end)
      var place = PanePlace(pane: pane, frame: frame, x: x, seen: from..<max(from, to))
      place.isCovered = to < min(x + frame.width, state.columns)
      if place.seen.isEmpty {
        if x >= state.columns { beyond += 1 } else if !places.isEmpty { places[places.count - 1].covered += 1 }
        // Covered panes count for the visible pane above them.
        if x >= state.columns { places.append(place) }
        continue
      }
      if place.isCovered, !places.isEmpty { places[places.count - 1].isCovering = true }
      place.beyond = beyond
      beyond = 0
      end = min(end, from)
      places.append(place)
    }
    return places.reversed()
  }

  /// Blanks what neither the navigation pane nor a pane covers.
  private func paintRest(
    _ seen: [Range<Int>], _ snapshot: ViewSnapshot, _ state: ScreenState, on picture: inout Picture
  ) {
    var column =
      seen.lazy.filter { !$0.isEmpty }.map(\.lowerBound).min() ?? min(state.columns, snapshot.navigation.width)
    var gaps: [Range<Int>] = []
    for range in seen where !range.isEmpty {
      if range.lowerBound > column { gaps.append(column..<range.lowerBound) }
      column = max(column, range.upperBound)
    }
    if column < state.columns { gaps.append(column..<state.columns) }
    for gap in gaps {
      for line in 0..<(state.lines - ScreenState.statusLines) {
        picture.put(Picture.Run(column: gap.lowerBound, width: gap.count, [], blank: look.theme[.text]), line: line)
      }
    }
    guard snapshot.panes.isEmpty, let gap = gaps.last else { return }
    let words = state.status.connection == .connecting ? "Connecting to the daemon." : ""
    var builder = LineBuilder(gap, base: look.theme[.text])
    builder.add(words, look.theme[.note].over(look.theme[.text]), column: gap.lowerBound + 2, width: gap.count - 2)
    for run in builder.finish() { picture.put(run, line: state.lines / 2) }
  }

  private func tooSmall(_ picture: Picture) -> Picture {
    var picture = picture
    let words = "Needs \(ScreenState.least.columns)x\(ScreenState.least.lines) or more"
    picture.put(
      Picture.Run(
        column: 0, width: picture.columns,
        CellText.cut([Picture.Piece(Array(words.utf8), look.theme[.text])], to: picture.columns),
        blank: look.theme[.text]), line: 0)
    return picture
  }

  private func title(_ snapshot: ViewSnapshot, _ state: ScreenState) -> [UInt8] {
    let focused = snapshot.panes.last { $0.header.paneID == state.focused.paneID } ?? snapshot.panes.last
    guard let title = focused?.header.title, !title.isEmpty else { return Array("Stack".utf8) }
    return title + Array(" - Stack".utf8)
  }
}
