internal import Posts
internal import ViewState

/// The rows of a pane that a view holds: what it shows, and some above and below (protocol.md, section 4).
struct Window {
  /// Display index of the first row.
  var first = 0
  var rows: [LaidOutRow] = []
}

/// How much a window may still take.
private struct WindowBudget {
  private var rows: Int
  private var bytes: Int

  /// A budget for one of `panes` that share a frame.
  init(_ limits: EngineLimits, panes: Int) {
    rows = limits.windows.rows
    bytes = limits.windows.bytes / max(1, panes)
  }

  /// Whether another row may be taken.
  var hasRoom: Bool { rows > 0 && bytes > 0 }

  /// Counts a row that is taken.
  mutating func take(_ row: LaidOutRow) {
    rows -= 1
    bytes -= row.encoded.count
  }

  /// Gives rows back.
  mutating func giveBack(_ dropped: some Sequence<LaidOutRow>) {
    for row in dropped {
      rows += 1
      bytes += row.encoded.count
    }
  }
}

/// Rows on one side of what is visible, from there outwards.
private struct WindowSide {
  var rows: [LaidOutRow] = []
  /// Height of the rows, and of what of the row beside them is not visible.
  private(set) var lines: Int

  init(lines: Int = 0) { self.lines = lines }

  mutating func append(_ row: LaidOutRow) {
    rows.append(row)
    lines += row.layout.height
  }

  /// The same where so many more lines of the row beside them are not visible.
  func moved(by more: Int) -> WindowSide {
    var side = self
    side.lines += more
    return side
  }

  /// Drops what lies beyond `wanted` lines, and returns it.
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

/// Chooses the rows of a window, around the row at which a scene looks in a pane.
private struct WindowBuilder {
  private let count: Int
  private let key: LayoutKey
  private var budget: WindowBudget
  /// Display indexes of the first row that is taken, and of the row below the last.
  private(set) var first: Int
  private(set) var next: Int
  private(set) var visible = WindowSide()
  private(set) var above: WindowSide
  private(set) var below = WindowSide()

  /// Begins with the row at `anchor`, whose line `line` is the first that is seen.
  init(
    at anchor: Int, line: Int, _ key: LayoutKey, _ budget: WindowBudget, _ list: inout PostList,
    _ lists: inout ListTable
  ) {
    count = list.count
    self.key = key
    self.budget = budget
    (first, next) = (anchor, anchor + 1)
    above = WindowSide(lines: line)
    visible.append(take(anchor, &list, &lists))
  }

  private mutating func take(_ index: Int, _ list: inout PostList, _ lists: inout ListTable) -> LaidOutRow {
    let row = lists.row(displayed: index, of: &list, key)
    budget.take(row)
    return row
  }

  /// Takes rows until so many lines are visible.
  mutating func fillVisible(to lines: Int, _ list: inout PostList, _ lists: inout ListTable) {
    while next < count && visible.lines < lines && budget.hasRoom {
      visible.append(take(next, &list, &lists))
      next += 1
    }
  }

  /// Takes rows above until there are `wanted` lines, down to display index `limit`.
  mutating func growUp(
    to wanted: Int = .max, index limit: Int = 0, _ list: inout PostList, _ lists: inout ListTable
  ) {
    while first > limit, above.lines < wanted, budget.hasRoom {
      first -= 1
      above.append(take(first, &list, &lists))
    }
  }

  /// Takes rows below until there are `wanted` lines, up to display index `limit`.
  mutating func growDown(
    to wanted: Int = .max, index limit: Int, _ list: inout PostList, _ lists: inout ListTable
  ) {
    while next < limit, below.lines < wanted, budget.hasRoom {
      below.append(take(next, &list, &lists))
      next += 1
    }
  }

  /// Has so many more lines of the row at the anchor be above what is seen.
  mutating func moveDown(by lines: Int) { above = above.moved(by: lines) }

  /// Takes the rows of the window that was chosen last. True if it may stay: half a viewport or more is held on each
  /// side, and not more than three.
  mutating func keep(
    _ span: Viewpoint.Span, anchor: Int, height: Int, _ list: inout PostList, _ lists: inout ListTable
  ) -> Bool {
    let top = min(anchor, list.displayedIndex(near: span.top))
    let bottom = max(next, list.displayedIndex(near: span.bottom) + 1)
    growDown(to: 3 * height, index: bottom, &list, &lists)
    growUp(to: 3 * height, index: top, &list, &lists)
    return first == top && next == bottom && isFarFromEdges(height)
  }

  /// Chooses how much to hold on each side anew.
  mutating func choose(
    _ wanted: (above: Int, below: Int), _ list: inout PostList, _ lists: inout ListTable
  ) {
    let tooHigh = above.trim(to: wanted.above)
    first += tooHigh.count
    budget.giveBack(tooHigh)
    let tooLow = below.trim(to: wanted.below)
    next -= tooLow.count
    budget.giveBack(tooLow)
    growDown(to: wanted.below, index: count, &list, &lists)
    growUp(to: wanted.above, &list, &lists)
  }

  /// Whether half a viewport or more is held on each side, or all there is.
  func isFarFromEdges(_ height: Int) -> Bool {
    (first == 0 || 2 * above.lines >= height) && (next == count || 2 * below.lines >= height)
  }

  /// Takes more rows where the window has fewer than `smallest`.
  mutating func complete(to smallest: Int, _ list: inout PostList, _ lists: inout ListTable) {
    growDown(index: min(count, first + smallest), &list, &lists)
    growUp(index: max(0, next - smallest), &list, &lists)
  }

  /// Whether another row may be taken.
  var hasRoom: Bool { budget.hasRoom }

  var window: Window { Window(first: first, rows: above.rows.reversed() + visible.rows + below.rows) }
}

extension Scene {
  /// The window of a pane. Its place moves to the row that took its anchor's place where that has gone (rule 34).
  ///
  /// The window that was chosen last stays while half a viewport or more is held on each side and not more than three;
  /// otherwise it is chosen anew: a viewport on each side, or two ahead and half a one behind where the reader moves.
  /// Cost: the window, whatever the length of the list.
  mutating func window(
    of pane: UInt64, in list: inout PostList, _ key: LayoutKey, sharedBy panes: Int, _ lists: inout ListTable,
    _ limits: EngineLimits
  ) -> Window {
    guard list.count > 0 else { return Window() }
    let height = identity.layout.height
    var place = viewpoint.places[pane] ?? Viewpoint.Place()
    let anchor = Self.anchorIndex(of: &place, in: &list, key, &lists)
    // A row that takes another's place is at the top with the line of its day.
    if place.key != viewpoint.places[pane]?.key { viewpoint.anchorDays[pane] = nil }
    var builder = WindowBuilder(
      at: anchor, line: place.line, key, WindowBudget(limits, panes: panes), &list, &lists)
    let dayHeight = viewpoint.anchorDays[pane] ?? 0
    let line = place.line
    place.stay(in: builder.visible.rows[0], key, dayHeight: dayHeight)
    builder.moveDown(by: place.line - line)
    builder.fillVisible(to: place.line + height, &list, &lists)
    // Where the first line shown lies above the anchor row.
    builder.growUp(to: 0, &list, &lists)
    if builder.above.lines < 0 {
      (place.line, place.isMoved) = (place.line - builder.above.lines, true)
      builder.moveDown(by: -builder.above.lines)
    }
    if viewpoint.places[pane] != nil { viewpoint.places[pane] = place }
    let isFirstPiece = viewpoint.jumpedPane == pane
    if !isFirstPiece {
      let isKept = viewpoint.spans[pane].map {
        builder.keep($0, anchor: anchor, height: height, &list, &lists)
      }
      if isKept != true { builder.choose(viewpoint.direction.reach(height), &list, &lists) }
    }
    builder.complete(to: limits.windows.smallestRows, &list, &lists)
    // What is on the screen may be all there is to hold.
    if isFirstPiece, builder.isFarFromEdges(height) || !builder.hasRoom { viewpoint.jumpedPane = nil }
    viewpoint.spans[pane] = Viewpoint.Span(
      top: list.key(displayed: builder.first), bottom: list.key(displayed: builder.next - 1))
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
    // A gap above the row that takes the place is seen with it.
    var line = 0
    for gap in next..<max(next, index) { line -= lists.row(displayed: gap, of: &list, layout).layout.height }
    place = Viewpoint.Place(anchor: found.id, key: found, line: line, isMoved: true)
    return index
  }
}

extension Viewpoint.Direction {
  /// Lines to hold above and below a viewport of `height` (protocol.md, section 4).
  fileprivate func reach(_ height: Int) -> (above: Int, below: Int) {
    switch self {
    case .none: (height, height)
    case .up: (2 * height, (height + 1) / 2)
    case .down: ((height + 1) / 2, 2 * height)
    }
  }
}
