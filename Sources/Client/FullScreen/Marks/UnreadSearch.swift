internal import ViewState

/// Finds the way to what waits to be read: in the root of a section, posts above the one up to which it
/// has been read. Of posts that are marked unread those are found that the client holds.
struct UnreadSearch {
  /// The way, and its end.
  enum Way: Equatable {
    /// To a row that is held, in the pane that has the keys or another.
    case row(UInt64, pane: UInt64)
    /// Beyond the rows held: it begins at the first of them.
    case above(UInt64)
    /// To where reading stopped in a pane, which is not held.
    case jump(pane: UInt64, readingRow: UInt64)
    /// Nowhere; why.
    case nowhere(String)
  }

  let panes: [Pane]
  let marks: WantedMarks
  /// The revision that the rows of the panes show.
  let shown: UInt64

  /// The way from a row of a pane to the next newer unread post (-1), or back to the one before that (1); where this
  /// pane has none, in the next pane that has some.
  func way(_ step: Int, from selected: UInt64, in pane: Pane) -> Way {
    let id = pane.header.paneID
    let read = pane.rows.firstIndex { $0.rowID == pane.status.readingRow }
    if let current = pane.rows.firstIndex(where: { $0.rowID == selected }) ?? read {
      var next = current + step
      while pane.rows.indices.contains(next), !isUnread(pane.rows[next], in: pane) { next += step }
      if pane.rows.indices.contains(next) { return .row(pane.rows[next].rowID, pane: id) }
      if step > 0, read != nil, isUnread(pane.rows[current], in: pane) {
        let isLast = pane.status.rowsAbove + pane.rows.count == pane.status.rowCount
        return .nowhere(isLast ? "This is the first unread post." : "This is the first unread post that is loaded.")
      }
    }
    if step < 0, pane.status.rowsAbove > 0, pane.status.newRows > 0,
      read != nil || pane.status.rowsAbove <= pane.status.newRows
    {
      return .above(pane.rows[0].rowID)
    }
    if pane.status.newRows > 0, read == nil { return .jump(pane: id, readingRow: pane.status.readingRow) }
    guard step < 0 else { return .nowhere("No unread post that is loaded is before this one.") }
    return wayElsewhere(from: selected, in: pane)
  }

  private func wayElsewhere(from selected: UInt64, in pane: Pane) -> Way {
    let id = pane.header.paneID
    for other in panes where other.header.paneID != id {
      // The oldest of them; where none is held, what is new is above.
      if let row = other.rows.last(where: { isUnread($0, in: other) }) {
        return .row(row.rowID, pane: other.header.paneID)
      }
      if other.status.newRows > other.rows.count(where: { $0.content.fields.readMark == .read }) {
        return .jump(pane: other.header.paneID, readingRow: other.status.readingRow)
      }
    }
    // From the newest one back to what was left below.
    if let row = pane.rows.last(where: { $0.rowID != selected && marks.isMarkedUnread($0, shown: shown) }) {
      return .row(row.rowID, pane: id)
    }
    return .nowhere(
      pane.status.rowsAbove == 0
        ? "Nothing newer is unread." : "Nothing newer that is loaded is unread; & is:unread shows all.")
  }

  private func isUnread(_ row: PlacedRow, in pane: Pane) -> Bool { marks.isUnread(row, in: pane, shown: shown) }
}
