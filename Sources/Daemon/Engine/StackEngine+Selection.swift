internal import Dates
internal import OrderedCollections
internal import Posts
internal import ViewState

extension StackEngine {
  /// The selected row of a pane that is about to be shown, pinned to the edge beyond which some of it is (rule 40). A
  /// row that is not in the list, or not loaded yet, is none. O(rows of the window).
  mutating func selection(in pane: Pane, _ record: PaneRecord, width: Int, of scene: inout Scene) -> PaneSelection {
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
      // The line of a day above it is no part of it.
      let top = (held < anchor ? -between : between) - place.line + (row.day?.height ?? 0)
      selection.pin = pin(of: top..<top + row.layout.height, in: identity.layout.height)
      guard selection.pin != .none else { return selection }
      selection.row = row
      selection.row!.day = nil
    } else {
      selection.pin = held < 0 ? .top : .bottom
      let row = lists.row(displayed: index, of: &shown, LayoutKey(identity.layout, paneWidth: width))
      selection.row = shown.placed(row, displayed: index, identity.layout.timeStyle.labelStyle, nil) {
        text(for: $0, $1, in: &scene)
      }
    }
    return selection
  }

  /// Where a row is pinned that takes up some lines, of which 0 to `height` are in the viewport: nowhere if it is there
  /// whole, or if it is too high for that and some of it is there.
  private func pin(of lines: Range<Int>, in height: Int) -> PaneSelection.Pin {
    if lines.count > height, lines.lowerBound < height, lines.upperBound > 0 { return .none }
    return lines.lowerBound < 0 ? .top : lines.upperBound > height ? .bottom : .none
  }
}
