/// Rows selected ahead of the daemon, by pane, and what it has still to be told of them: one at a time, the last one in
/// the end.
struct Selections {
  /// The daemon's answer to a selection.
  enum Answer {
    /// From a revision on the daemon's word counts again.
    case taken(revision: UInt64)
    /// Nobody was there to take it.
    case unreachable
    case refused
  }

  /// Rows that the daemon has not confirmed.
  private var rows: [UInt64: UInt64] = [:]
  /// Revisions from which the daemon's word counts again.
  private var confirmed: [UInt64: UInt64] = [:]
  /// The pane whose selection is being told, and the one whose is to be told next.
  private var telling: UInt64?
  private var waiting: UInt64?

  /// The row that is selected in a pane; nil where the daemon's word counts.
  func row(in pane: UInt64) -> UInt64? { rows[pane] }

  /// Selects a row, of which the daemon is to be told.
  mutating func select(_ row: UInt64, in pane: UInt64) {
    rows[pane] = row
    confirmed[pane] = nil
    waiting = pane
  }

  /// Takes the selection to send now; nil for none. It is answered before the next.
  mutating func next() -> (pane: UInt64, row: UInt64)? {
    guard telling == nil, let pane = waiting, let row = rows[pane] else { return nil }
    waiting = nil
    telling = pane
    return (pane, row)
  }

  /// Takes the answer to what was told of a pane, while a revision is shown. False where the next has to wait for a
  /// daemon.
  mutating func answered(_ pane: UInt64, _ row: UInt64, _ answer: Answer, shown: UInt64) -> Bool {
    telling = nil
    guard rows[pane] == row else {
      if rows[pane] != nil, waiting == nil { waiting = pane }
      return true
    }
    switch answer {
    case .taken(let revision):
      // Where it is so already, the daemon's word counts again at once.
      if revision > shown { confirmed[pane] = revision } else { rows[pane] = nil }
      return true
    case .unreachable:
      // Without a daemon it stays, and is told when there is one.
      waiting = waiting ?? pane
    case .refused: rows[pane] = nil
    }
    return false
  }

  /// Sends again what was not answered on another connection.
  mutating func reconnected() {
    guard let pane = telling else { return }
    telling = nil
    waiting = waiting ?? pane
  }

  /// Goes on to the row that has taken the place of the selected one.
  mutating func replace(in pane: UInt64, with row: UInt64) { rows[pane] = row }

  /// Forgets what a revision shows.
  mutating func shown(_ pane: UInt64, at revision: UInt64) {
    guard let wanted = confirmed[pane], revision >= wanted else { return }
    confirmed[pane] = nil
    rows[pane] = nil
  }

  /// Forgets all panes but these.
  mutating func keep(only panes: Set<UInt64>) {
    rows = rows.filter { panes.contains($0.key) }
    confirmed = confirmed.filter { panes.contains($0.key) }
  }
}
