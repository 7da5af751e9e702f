internal import ViewState

/// Finds the next unread post: in the root pane of a section, the posts above the reading position. Posts marked as
/// unread are found only among the rows the client holds.
struct UnreadSearch {
  /// The result of a search.
  enum Way: Equatable {
    /// A row that is held, in the focused pane or another.
    case row(UInt64, pane: UInt64)
    /// Beyond the rows held, upwards from this first row.
    case above(UInt64)
    /// The reading position of a pane, which is not held.
    case jump(pane: UInt64, readingRow: UInt64)
    /// Nowhere, with the reason.
    case nowhere(String)
  }

  let panes: [Pane]
  let marks: WantedMarks
  /// The revision that the panes show.
  let shown: UInt64

  /// Finds the next newer unread post (-1) from a row, or the one before it (1). Continues in the next pane with unread
  /// posts.
  func way(_ step: Int, from selected: UInt64, in pane: Pane) -> Way {
    let id = pane.header.paneID
    let read = pane.rows.firstIndex { $0.rowID == pane.status.readingRow }
    if let current = pane.rows.firstIndex(where: { $0.rowID == selected }) ?? read {
      var next = current + step
      while pane.rows.indices.contains(next), !isUnread(pane.rows[next], in: pane) { next += step }
      if pane.rows.indices.contains(next) { return .row(pane.rows[next].rowID, pane: id) }
      if step > 0, read != nil, isUnread(pane.rows[current], in: pane) {
        let isLast = pane.status.rowsAbove + pane.rows.count == pane.status.rowCount
        return .nowhere(isLast ? "This is the first unread post." : "This is the first unread post loaded.")
      }
    }
    if step < 0, pane.status.rowsAbove > 0, pane.status.newRows > 0,
      read != nil || pane.status.rowsAbove <= pane.status.newRows
    {
      return .above(pane.rows[0].rowID)
    }
    if pane.status.newRows > 0, read == nil { return .jump(pane: id, readingRow: pane.status.readingRow) }
    guard step < 0 else { return .nowhere("No earlier unread posts loaded.") }
    return wayElsewhere(from: selected, in: pane)
  }

  private func wayElsewhere(from selected: UInt64, in pane: Pane) -> Way {
    let id = pane.header.paneID
    for other in panes where other.header.paneID != id {
      // The oldest of them. If none is held, the new rows are above.
      if let row = other.rows.last(where: { isUnread($0, in: other) }) {
        return .row(row.rowID, pane: other.header.paneID)
      }
      if other.status.newRows > other.rows.count(where: { $0.content.fields.readMark == .read }) {
        return .jump(pane: other.header.paneID, readingRow: other.status.readingRow)
      }
    }
    // From the newest post back to unread ones left below.
    if let row = pane.rows.last(where: { $0.rowID != selected && marks.isMarkedUnread($0, shown: shown) }) {
      return .row(row.rowID, pane: id)
    }
    return .nowhere(
      pane.status.rowsAbove == 0
        ? "No newer unread posts." : "No newer unread posts loaded. Use & is:unread to see all.")
  }

  private func isUnread(_ row: PlacedRow, in pane: Pane) -> Bool { marks.isUnread(row, in: pane, shown: shown) }
}
