/// The rest of a way that led beyond the rows held: it is gone when those rows have come.
struct PendingMoves: Equatable {
  /// So many rows, or lines, in a pane.
  struct Move: Equatable {
    let pane: UInt64
    let count: Int
    /// 1 for down, -1 for up.
    var direction: Int { count > 0 ? 1 : -1 }
  }

  private static let rowLimit = 100
  private static let lineLimit = 2_000

  private(set) var rows: Move?
  private(set) var lines: Move?

  /// There is nothing to be gone.
  var isEmpty: Bool { rows == nil && lines == nil }

  /// True where a way in a pane is not at its end.
  func isUnderWay(in pane: UInt64) -> Bool { rows?.pane == pane || lines?.pane == pane }

  /// One row more.
  mutating func addRow(_ step: Int, in pane: UInt64) {
    let before = rows.map { $0.pane == pane ? $0.count : 0 } ?? 0
    setRows(min(max(before + step, -Self.rowLimit), Self.rowLimit), in: pane)
  }

  /// So many rows in all.
  mutating func setRows(_ count: Int, in pane: UInt64) { rows = Move(pane: pane, count: count) }

  /// So many lines in all; nothing for none.
  mutating func setLines(_ count: Int, in pane: UInt64) {
    lines = count == 0 ? nil : Move(pane: pane, count: min(max(count, -Self.lineLimit), Self.lineLimit))
  }

  /// Takes what is left of the rows.
  mutating func takeRows() -> Move? {
    defer { rows = nil }
    return rows
  }

  /// Takes what is left of the lines.
  mutating func takeLines() -> Move? {
    defer { lines = nil }
    return lines
  }
}
