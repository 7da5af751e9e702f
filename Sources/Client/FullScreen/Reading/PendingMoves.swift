/// The rest of moves beyond the rows held, which continue when more rows arrive.
struct PendingMoves: Equatable {
  /// A number of rows, or lines, in a pane.
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

  /// True if no move is pending.
  var isEmpty: Bool { rows == nil && lines == nil }

  /// True if a move in a pane is pending.
  func isUnderWay(in pane: UInt64) -> Bool { rows?.pane == pane || lines?.pane == pane }

  /// Adds a row to the pending move.
  mutating func addRow(_ step: Int, in pane: UInt64) {
    let before = rows.map { $0.pane == pane ? $0.count : 0 } ?? 0
    setRows(min(max(before + step, -Self.rowLimit), Self.rowLimit), in: pane)
  }

  /// Sets the pending move to `count` rows.
  mutating func setRows(_ count: Int, in pane: UInt64) { rows = Move(pane: pane, count: count) }

  /// Sets the pending scroll to `count` lines; 0 for none.
  mutating func setLines(_ count: Int, in pane: UInt64) {
    lines = count == 0 ? nil : Move(pane: pane, count: min(max(count, -Self.lineLimit), Self.lineLimit))
  }

  /// Removes and returns the pending move.
  mutating func takeRows() -> Move? {
    defer { rows = nil }
    return rows
  }

  /// Removes and returns the pending scroll.
  mutating func takeLines() -> Move? {
    defer { lines = nil }
    return lines
  }
}
