internal import Posts
internal import ViewState

/// The rows of a pane that a view holds: the visible ones, and some above and below (docs/PROTOCOL.md, "Windows and
/// viewports").
struct Window {
  /// Display index of the first row.
  var first = 0
  var rows: [LaidOutRow] = []
}

/// Rows and bytes that a window may still take.
private struct WindowBudget {
  private var rows: Int
  private var bytes: Int

  /// Creates the budget of one of `panes` that share a frame.
  init(_ limits: EngineLimits, panes: Int) {
    rows = limits.windows.rows
    bytes = limits.windows.bytes / max(1, panes)
  }

  /// True if another row may be taken.
  var hasRoom: Bool { rows > 0 && bytes > 0 }

  /// Counts a row that is taken.
  mutating func spend(_ row: LaidOutRow) {
    rows -= 1
    bytes -= row.encoded.count
  }

  /// Counts rows that are given back.
  mutating func refund(_ dropped: some Sequence<LaidOutRow>) {
    for row in dropped {
      rows += 1
      bytes += row.encoded.count
    }
  }
}

/// Rows on one side of the visible ones, from there outwards.
private struct WindowSide {
  var rows: [LaidOutRow] = []
  /// Height of the rows, plus the hidden part of the row beside them.
  private(set) var lines: Int

  init(lines: Int = 0) { self.lines = lines }

  mutating func append(_ row: LaidOutRow) {
    rows.append(row)
    lines += row.layout.height
  }

  /// Returns the same side with `more` hidden lines of the row beside it.
  func moved(by more: Int) -> WindowSide {
    var side = self
    side.lines += more
    return side
  }

  /// Drops the rows beyond `wanted` lines, and returns them.
  mutating func trim(to wanted: Int) -> ArraySlice<LaidOutRow> {
    var kept = 0
    var sum = lines - rows.reduce(0) { $0 + $1.layout.height }
    while kept < rows.count, sum < wanted {
      sum += rows[kept].layout.height
      kept += 1
    }
    let dropped = rows[kept...]
    rows.removeLast(rows.count - kept)
    lines = sum
    return dropped
  }
}

/// Chooses the rows of a window around the row at which a scene looks in a pane.
private struct WindowBuilder {
  private let count: Int
  private let key: LayoutKey
  private var budget: WindowBudget
  /// Display indexes of the first row taken, and of the row below the last.
  private(set) var first: Int
  private(set) var next: Int
  private(set) var visible = WindowSide()
  private(set) var above: WindowSide
  private(set) var below = WindowSide()

  /// Begins with the row at `anchor`, of which `line` is the first visible line.
  init(
    at anchor: Int, line: Int, _ key: LayoutKey, _ budget: WindowBudget, _ list: inout PostList,
    _ lists: inout ListTable
  ) {
    count = list.count
    self.key = key
    self.budget = budget
    (first, next) = (anchor, anchor + 1)
    above = WindowSide(lines: line)
    visible.append(takeRow(anchor, &list, &lists))
  }

  private mutating func takeRow(_ index: Int, _ list: inout PostList, _ lists: inout ListTable) -> LaidOutRow {
    let row = lists.row(displayed: index, of: &list, key)
    budget.spend(row)
    return row
  }

  /// Takes rows until `lines` lines are visible.
  mutating func fillVisible(to lines: Int, _ list: inout PostList, _ lists: inout ListTable) {
    while next < count && visible.lines < lines && budget.hasRoom {
      visible.append(takeRow(next, &list, &lists))
      next += 1
    }
  }

  /// Takes rows above until there are `wanted` lines, down to display index `limit`.
  mutating func growUp(
    to wanted: Int = .max, index limit: Int = 0, _ list: inout PostList, _ lists: inout ListTable
  ) {
    while first > limit, above.lines < wanted, budget.hasRoom {
      first -= 1
      above.append(takeRow(first, &list, &lists))
    }
  }

  /// Takes rows below until there are `wanted` lines, up to display index `limit`.
  mutating func growDown(
    to wanted: Int = .max, index limit: Int, _ list: inout PostList, _ lists: inout ListTable
  ) {
    while next < limit, below.lines < wanted, budget.hasRoom {
      below.append(takeRow(next, &list, &lists))
      next += 1
    }
  }

  /// Hides `lines` more lines of the anchor row above the viewport.
  mutating func moveDown(by lines: Int) { above = above.moved(by: lines) }

  /// Takes the rows of the previous window. Returns true if it may stay: half a viewport or more is held on each side,
  /// and not more than three.
  mutating func takeSpan(
    _ span: Viewpoint.Span, anchor: Int, height: Int, _ list: inout PostList, _ lists: inout ListTable
  ) -> Bool {
    let top = min(anchor, list.displayedIndex(near: span.top))
    let bottom = max(next, list.displayedIndex(near: span.bottom) + 1)
    growDown(to: 3 * height, index: bottom, &list, &lists)
    growUp(to: 3 * height, index: top, &list, &lists)
    return first == top && next == bottom && isFarFromEdges(height)
  }

  /// Chooses anew how much to hold on each side.
  mutating func choose(
    _ wanted: (above: Int, below: Int), _ list: inout PostList, _ lists: inout ListTable
  ) {
    let tooHigh = above.trim(to: wanted.above)
    first += tooHigh.count
    budget.refund(tooHigh)
    let tooLow = below.trim(to: wanted.below)
    next -= tooLow.count
    budget.refund(tooLow)
    growDown(to: wanted.below, index: count, &list, &lists)
    growUp(to: wanted.above, &list, &lists)
  }

  /// Returns true if half a viewport or more is held on each side, or all there is.
  func isFarFromEdges(_ height: Int) -> Bool {
    (first == 0 || 2 * above.lines >= height) && (next == count || 2 * below.lines >= height)
  }

  /// Takes more rows if the window has fewer than `smallest`.
  mutating func complete(to smallest: Int, _ list: inout PostList, _ lists: inout ListTable) {
    growDown(index: min(count, first + smallest), &list, &lists)
    growUp(index: max(0, next - smallest), &list, &lists)
  }

  /// Returns true if it reaches `wanted` lines on each side, or as far as there are rows and room for them.
  func reaches(_ wanted: (above: Int, below: Int)) -> Bool {
    !budget.hasRoom
      || (first == 0 || above.lines >= wanted.above) && (next == count || below.lines >= wanted.below)
  }

  var window: Window { Window(first: first, rows: above.rows.reversed() + visible.rows + below.rows) }
}

extension Scene {
  /// Returns the window of a pane. If the anchor row is gone, the place moves to the row that took its position
  /// (docs/BEHAVIOUR.md, rule 34).
  ///
  /// The previous window stays while half a viewport or more is held on each side and not more than three. Otherwise it
  /// is chosen anew: a viewport on each side, or two ahead of a moving reader and half a one behind. After a jump it
  /// holds the visible rows only, unless that is all; the next one is chosen anew. Cost: the window, whatever the
  /// length of the list.
  mutating func window(
    of pane: UInt64, in list: inout PostList, _ key: LayoutKey, sharedBy panes: Int, _ lists: inout ListTable,
    _ limits: EngineLimits
  ) -> Window {
    guard list.count > 0 else { return Window() }
    let height = identity.layout.height
    var place = viewpoint.places[pane] ?? Viewpoint.Place()
    let anchor = Self.anchorIndex(of: &place, in: &list, key, &lists)
    // A row that takes another's place is at the top, with its day line.
    if place.key != viewpoint.places[pane]?.key { viewpoint.anchorDays[pane] = nil }
    var builder = WindowBuilder(
      at: anchor, line: place.line, key, WindowBudget(limits, panes: panes), &list, &lists)
    let dayHeight = viewpoint.anchorDays[pane] ?? 0
    let line = place.line
    place.stay(in: builder.visible.rows[0], key, dayHeight: dayHeight)
    builder.moveDown(by: place.line - line)
    builder.fillVisible(to: place.line + height, &list, &lists)
    // The first visible line may lie above the anchor row.
    builder.growUp(to: 0, &list, &lists)
    if builder.above.lines < 0 {
      (place.line, place.isMoved) = (place.line - builder.above.lines, true)
      builder.moveDown(by: -builder.above.lines)
    }
    if viewpoint.places[pane] != nil { viewpoint.places[pane] = place }
    let wanted = viewpoint.direction.reach(height)
    if viewpoint.jumpedPane != pane {
      let isKept = viewpoint.spans[pane].map {
        builder.takeSpan($0, anchor: anchor, height: height, &list, &lists)
      }
      if isKept != true { builder.choose(wanted, &list, &lists) }
    }
    builder.complete(to: limits.windows.smallestRows, &list, &lists)
    // The visible rows may be all there are to hold.
    if viewpoint.jumpedPane == pane, builder.reaches(wanted) { viewpoint.jumpedPane = nil }
    viewpoint.spans[pane] =
      viewpoint.jumpedPane == pane
      ? nil
      : Viewpoint.Span(top: list.key(displayed: builder.first), bottom: list.key(displayed: builder.next - 1))
    return builder.window
  }

  private static func anchorIndex(
    of place: inout Viewpoint.Place, in list: inout PostList, _ layout: LayoutKey, _ lists: inout ListTable
  ) -> Int {
    guard let key = place.key else { return 0 }
    let next = list.displayedIndex(near: key)
    let index = list.anchor(displayed: next)
    let found = list.key(displayed: index)
    guard found != key else { return index }
    // A gap above the row that takes the place is shown with it.
    var line = 0
    for gap in next..<max(next, index) { line -= lists.row(displayed: gap, of: &list, layout).layout.height }
    place = Viewpoint.Place(anchor: found.id, key: found, line: line, isMoved: true)
    return index
  }
}

extension Viewpoint.Direction {
  /// Returns the lines to hold above and below a viewport of `height` (docs/PROTOCOL.md, "Windows and viewports").
  fileprivate func reach(_ height: Int) -> (above: Int, below: Int) {
    switch self {
    case .none: (height, height)
    case .up: (2 * height, (height + 1) / 2)
    case .down: ((height + 1) / 2, 2 * height)
    }
  }
}
