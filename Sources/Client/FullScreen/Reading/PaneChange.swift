internal import ViewState

/// A pane before and after a frame, to find where rows in use have gone.
struct PaneChange {
  let old: Pane
  let new: Pane

  /// Returns the row that takes the place of `row`: itself if it is still held, the next held row that remains, or the
  /// last one before it. If none remains, the row may be outside the window: then itself.
  func successor(of row: UInt64) -> UInt64 {
    guard let (index, held) = lost(row) else { return row }
    let after = old.rows[index...].first { held.contains($0.rowID) }
    return (after ?? old.rows[..<index].last { held.contains($0.rowID) })?.rowID ?? row
  }

  /// True if a row may still exist beyond an end of the window, because the window was meant for an older position.
  func isBeyond(_ row: UInt64) -> Bool {
    guard let (index, held) = lost(row) else { return false }
    let isAnyBefore = old.rows[..<index].contains { held.contains($0.rowID) }
    let isAnyAfter = old.rows[index...].contains { held.contains($0.rowID) }
    return isAnyBefore != isAnyAfter && (isAnyBefore ? new.hasMoreBelow : new.status.rowsAbove > 0)
  }

  /// Returns the old index of a row that is no longer held, and the rows that are; nil if it is still held, or never
  /// was.
  private func lost(_ row: UInt64) -> (index: Int, held: Set<UInt64>)? {
    guard !new.rows.contains(where: { $0.rowID == row }), let index = old.rows.firstIndex(where: { $0.rowID == row })
    else { return nil }
    return (index, Set(new.rows.map(\.rowID)))
  }
}
