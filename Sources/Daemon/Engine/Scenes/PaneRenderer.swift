internal import Dates
internal import Posts
internal import ViewState

/// The instant that labels are made for.
struct LabelTime {
  var instant: Instant
  /// True if the instant is fixed, so that labels never change.
  var isFrozen = false
}

/// Renders one pane of a scene: its window of rows, its status, its selection and its overlay.
struct PaneRenderer {
  let record: PaneRecord
  let width: Int
  /// Number of visible panes in the scene, which share the bytes of a frame.
  let shownPanes: Int
  let time: LabelTime
  let now: Instant
  let limits: EngineLimits

  /// Fills a pane whose header is known. Cost: the window, whatever the length of the pane.
  func render(_ pane: inout Pane, of scene: inout Scene, _ lists: inout ListTable, _ heights: inout HeightsTable) {
    fill(&pane, of: &scene, &lists, &heights)
    pane.selection = selection(in: pane, of: &scene, &lists)
  }

  /// Puts the window of rows into a pane, with its status and overlay.
  private func fill(
    _ pane: inout Pane, of scene: inout Scene, _ lists: inout ListTable, _ table: inout HeightsTable
  ) {
    let identity = scene.identity
    let key = record.list(of: identity.session.account)
    let layout = LayoutKey(identity.layout, paneWidth: width)
    lists.open.read(key) { $0.arrange(for: record) }
    guard var list = lists[key] else {
      pane.status.isLoading = true
      return
    }
    let hasDays = identity.layout.hasDayLines && list.showsTimes
    let heights = HeightsKey(
      list: key, collapsed: list.order == nil ? [] : record.collapsed, unfolded: record.unfolded, layout: layout,
      daysZone: hasDays ? identity.layout.timeZone : nil)
    let days = hasDays ? DayRule(of: list, in: scene.zone, height: layout.dayHeight) : nil
    table.make(heights, days, of: &lists.open, at: now)
    if table[heights] != nil { scene.rendering.heights.append(heights) }
    list = lists[key] ?? list
    let window = scene.window(of: record.id, in: &list, layout, sharedBy: shownPanes, &lists, limits)
    pane.rows.reserveCapacity(window.rows.count)
    let style = identity.layout.labelStyle(underDays: hasDays)
    for (offset, row) in window.rows.enumerated() {
      pane.rows.append(
        list.placed(row, displayed: window.first + offset, style, days) { scene.text(for: $0, $1, time) })
    }
    table.recordHeights(of: pane.rows, from: window.first, in: list, heights)
    pane.status = Self.status(of: list, window, heights, table)
    pane.status.profile = lists.profile(of: list)
    let anchor = scene.viewpoint.places[record.id]?.anchor.flatMap { anchor in
      pane.rows.firstIndex { $0.rowID == UInt64(anchor.rawValue) }
    }
    if let anchor { scene.viewpoint.keepLine(of: record.id, beside: pane.rows[anchor]) }
    if let anchor, let place = scene.viewpoint.places[record.id], place.isMoved || place.line < 0 {
      // Lines above the anchor row belong to another row, and clients count from that one.
      let top = pane.rowShown(at: place.line, of: anchor)
      pane.status.anchorRow = pane.rows[top.row].rowID
      pane.status.anchorLine = top.line
    } else if scene.viewpoint.places[record.id] == .beginning, window.first == 0, let first = pane.rows.first {
      pane.status.anchorRow = first.rowID
    }
    if identity.layout.hasOverlays, list.showsTimes {
      pane.clock = clock(over: pane, from: anchor ?? 0, list, table[heights], &scene)
    }
    lists.open.putBack(list)
  }

  private static func status(
    of list: PostList, _ window: Window, _ key: HeightsKey, _ table: HeightsTable
  ) -> PaneStatus {
    var status = PaneStatus()
    status.rowCount = list.rowCount
    status.rowsAbove = window.first
    status.isLoading = !list.isComplete
    let missing = list.rowCount - list.count
    guard let heights = table[key] else {
      // Without room for the heights every row counts the same, so that the total does not change from window to
      // window.
      status.totalHeight = list.rowCount * key.layout.estimatedHeight
      status.heightAbove = window.first * key.layout.estimatedHeight
      return status
    }
    let above = list.ranks(aboveDisplayed: window.first)
    status.isExact = list.isComplete && heights.isExact
    status.totalHeight = heights.total + missing * heights.estimate
    status.heightAbove = heights.height(below: above.upperBound) - heights.height(below: above.lowerBound)
    return status
  }

  // MARK: Selection

  /// Returns the selected row of a pane that is about to be shown, pinned to the edge beyond which part of it lies
  /// (docs/BEHAVIOUR.md, rule 40). A row that is not in the list or not loaded yet does not count. O(rows of the
  /// window).
  private func selection(in pane: Pane, of scene: inout Scene, _ lists: inout ListTable) -> PaneSelection {
    var selection = PaneSelection()
    let identity = scene.identity
    let list = record.list(of: identity.session.account)
    guard record.selection != 0, let id = Int64(exactly: record.selection), var shown = lists[list],
      let index = shown.displayedIndex(of: PostID(id))
    else { return selection }
    selection.rowID = record.selection
    let place = scene.viewpoint.places[record.id] ?? Viewpoint.Place()
    let anchor = place.anchor.flatMap { anchor in pane.rows.firstIndex { $0.rowID == UInt64(anchor.rawValue) } } ?? 0
    let held = index - pane.status.rowsAbove
    if pane.rows.indices.contains(held) {
      let row = pane.rows[held]
      let between = pane.rows[min(held, anchor)..<max(held, anchor)].reduce(0) { $0 + $1.height }
      // The day line above it is not part of it.
      let top = (held < anchor ? -between : between) - place.line + (row.day?.height ?? 0)
      selection.pin = Self.pin(of: top..<top + row.layout.height, in: identity.layout.height)
      guard selection.pin != .none else { return selection }
      selection.row = row
      selection.row?.day = nil
      if identity.layout.timeStyle == .withinDay, shown.showsTimes, row.content.fields.kind != .gap {
        selection.row?.label = scene.text(
          for: row.content.fields.labelledAt, identity.layout.labelStyle(underDays: false), time)
      }
    } else {
      selection.pin = held < 0 ? .top : .bottom
      let row = lists.row(displayed: index, of: &shown, LayoutKey(identity.layout, paneWidth: width))
      selection.row = shown.placed(row, displayed: index, identity.layout.labelStyle(underDays: false), nil) {
        scene.text(for: $0, $1, time)
      }
    }
    return selection
  }

  /// Returns the edge to which a row is pinned that takes up `lines`, of which 0 to `height` are in the viewport: none
  /// if the row is wholly visible, or if it is too high for that and partly visible.
  private static func pin(of lines: Range<Int>, in height: Int) -> PaneSelection.Pin {
    if lines.count > height, lines.lowerBound < height, lines.upperBound > 0 { return .none }
    return lines.lowerBound < 0 ? .top : lines.upperBound > height ? .bottom : .none
  }
}
