internal import ViewState

/// A pane before and after a frame: where rows have gone that somebody is at.
struct PaneChange {
  let old: Pane
  let new: Pane

  /// The row that takes the place of one: itself, the next of the rows that were held that is still there, or the last
  /// before it. Where none of them is held it may be out of the window: itself then.
  func successor(of row: UInt64) -> UInt64 {
    guard let (index, held) = lost(row) else { return row }
    let after = old.rows[index...].first { held.contains($0.rowID) }
    return (after ?? old.rows[..<index].last { held.contains($0.rowID) })?.rowID ?? row
  }

  /// True where a row has not gone, as far as can be told, but lies beyond an end of a window meant for an older
  /// place.
  func isBeyond(_ row: UInt64) -> Bool {
    guard let (index, held) = lost(row) else { return false }
    let isAnyBefore = old.rows[..<index].contains { held.contains($0.rowID) }
    let isAnyAfter = old.rows[index...].contains { held.contains($0.rowID) }
    return isAnyBefore != isAnyAfter && (isAnyBefore ? new.hasMoreBelow : new.status.rowsAbove > 0)
  }

  /// The old place of a row that is held no longer, and the rows that are; nil where it is held, or was not.
  private func lost(_ row: UInt64) -> (index: Int, held: Set<UInt64>)? {
    guard !new.rows.contains(where: { $0.rowID == row }), let index = old.rows.firstIndex(where: { $0.rowID == row })
    else { return nil }
    return (index, Set(new.rows.map(\.rowID)))
  }
}
