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
    rows = limits.windowRows
    bytes = limits.windowBytes / max(1, panes)
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

extension StackEngine {
  /// The window of a scene in a pane. Its place moves to the row that took its anchor's place where that has gone (rule
  /// 34).
  ///
  /// The window that was chosen last stays while half a viewport or more is held on each side and not more than three;
  /// otherwise it is chosen anew: a viewport on each side, or two ahead and half a one behind where the reader moves.
  /// Cost: the window, whatever the length of the list.
  mutating func window(
    in list: inout PostList, of scene: inout Scene, pane: UInt64, key: LayoutKey, panes: Int
  ) -> Window {
    let count = list.count
    guard count > 0 else { return Window() }
    var place = scene.viewpoint.places[pane] ?? Viewpoint.Place()
    let anchor = anchorIndex(of: &place, in: &list, key)
    // A row that takes another's place is at the top with the line of its day.
    if place.key != scene.viewpoint.places[pane]?.key { scene.viewpoint.anchorDays[pane] = nil }
    let height = scene.identity.layout.height
    var budget = WindowBudget(limits, panes: panes)
    func take(_ index: Int, _ list: inout PostList) -> LaidOutRow {
      let row = lists.row(displayed: index, of: &list, key)
      budget.take(row)
      return row
    }

    var visible = WindowSide()
    var next = anchor + 1
    visible.append(take(anchor, &list))
    place.stay(in: visible.rows[0], key, dayHeight: scene.viewpoint.anchorDays[pane] ?? 0)
    while next < count && visible.lines < place.line + height && budget.hasRoom {
      visible.append(take(next, &list))
      next += 1
    }
    var first = anchor
    var above = WindowSide(lines: place.line)
    var below = WindowSide()

    func growUp(to wanted: Int = .max, index limit: Int = 0, _ list: inout PostList) {
      while first > limit, above.lines < wanted, budget.hasRoom {
        first -= 1
        above.append(take(first, &list))
      }
    }
    func growDown(to wanted: Int = .max, index limit: Int, _ list: inout PostList) {
      while next < limit, below.lines < wanted, budget.hasRoom {
        below.append(take(next, &list))
        next += 1
      }
    }

    // Where the first line shown lies above the anchor row.
    growUp(to: 0, &list)
    if above.lines < 0 {
      (place.line, place.isMoved, above) = (place.line - above.lines, true, above.moved(by: -above.lines))
    }
    if scene.viewpoint.places[pane] != nil { scene.viewpoint.places[pane] = place }

    if scene.viewpoint.jumpedPane != pane {
      var isChosen = false
      if let span = scene.viewpoint.spans[pane] {
        let top = min(anchor, list.displayedIndex(near: span.top))
        let bottom = max(next, list.displayedIndex(near: span.bottom) + 1)
        growDown(to: 3 * height, index: bottom, &list)
        growUp(to: 3 * height, index: top, &list)
        let isFarFromTop = first == 0 || 2 * above.lines >= height
        let isFarFromBottom = next == count || 2 * below.lines >= height
        isChosen = first == top && next == bottom && isFarFromTop && isFarFromBottom
      }
      if !isChosen {
        let wanted = scene.viewpoint.direction.reach(height)
        let tooHigh = above.trim(to: wanted.above)
        first += tooHigh.count
        budget.giveBack(tooHigh)
        let tooLow = below.trim(to: wanted.below)
        next -= tooLow.count
        budget.giveBack(tooLow)
        growDown(to: wanted.below, index: count, &list)
        growUp(to: wanted.above, &list)
      }
    }
    growDown(index: min(count, first + limits.smallestWindowRows), &list)
    growUp(index: max(0, next - limits.smallestWindowRows), &list)
    scene.viewpoint.spans[pane] = Viewpoint.Span(top: list.key(displayed: first), bottom: list.key(displayed: next - 1))
    return Window(first: first, rows: above.rows.reversed() + visible.rows + below.rows)
  }

  private mutating func anchorIndex(of place: inout Viewpoint.Place, in list: inout PostList, _ layout: LayoutKey) -> Int {
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

extension Viewpoint.Place {
  /// Stays at the same line of the anchor row, which may have become shorter; a word that is not there any more is
  /// forgotten.
  fileprivate mutating func stay(in row: LaidOutRow, _ key: LayoutKey, dayHeight: Int) {
    guard line > 0 else { return }
    let last = dayHeight + row.layout.height - 1
    if line > last { (line, isMoved) = (max(0, last), true) }
    guard let word else { return }
    let text = line - dayHeight - key.heightAboveText(isRepost: row.content.fields.repostedBy != nil)
    let number = row.layout.lineEnds.firstIndex { word < Int($0) } ?? row.layout.lineEnds.count - 1
    if text < 0 || text / key.lineHeight != number { self.word = nil }
  }
}
