/// Rows selected ahead of the daemon, by pane, and those still to be sent to it: one at a time, and the last one in the
/// end.
struct Selections {
  /// The daemon's answer to a selection.
  enum Answer {
    /// Accepted. From this revision on, the daemon's selection counts again.
    case accepted(revision: UInt64)
    /// The daemon could not be reached.
    case unreachable
    /// The account may only look: the selection is this screen's alone.
    case kept
    case refused
  }

  /// Rows that the daemon has not confirmed.
  private var rows: [UInt64: UInt64] = [:]
  /// Revisions from which the daemon's selection counts again.
  private var confirmed: [UInt64: UInt64] = [:]
  /// The pane whose selection has been sent without an answer, and the pane whose selection is sent next.
  private var unanswered: UInt64?
  private var waiting: UInt64?

  /// Returns the row selected in a pane; nil if the daemon's selection counts.
  func row(in pane: UInt64) -> UInt64? { rows[pane] }

  /// Selects a row, to be sent to the daemon.
  mutating func select(_ row: UInt64, in pane: UInt64) {
    rows[pane] = row
    confirmed[pane] = nil
    waiting = pane
  }

  /// Returns the selection to send now; nil for none. It must be answered before the next.
  mutating func next() -> (pane: UInt64, row: UInt64)? {
    guard unanswered == nil, let pane = waiting, let row = rows[pane] else { return nil }
    waiting = nil
    unanswered = pane
    return (pane, row)
  }

  /// Handles the answer to a selection while `shown` is the revision on the screen. Returns false if the next one has
  /// to wait for a connection.
  mutating func answered(_ pane: UInt64, _ row: UInt64, _ answer: Answer, shown: UInt64) -> Bool {
    unanswered = nil
    guard rows[pane] == row else {
      if rows[pane] != nil, waiting == nil { waiting = pane }
      return true
    }
    switch answer {
    case .accepted(let revision):
      // If the revision is already shown, the daemon's selection counts again at once.
      if revision > shown { confirmed[pane] = revision } else { rows[pane] = nil }
      return true
    case .kept: return true
    case .unreachable:
      // Without a connection it stays, and is sent when there is one.
      waiting = waiting ?? pane
    case .refused: rows[pane] = nil
    }
    return false
  }

  /// Queues a selection again that was not answered on the previous connection.
  mutating func reconnected() {
    guard let pane = unanswered else { return }
    unanswered = nil
    waiting = waiting ?? pane
  }

  /// Moves the selection to the row that replaces the selected one.
  mutating func replace(in pane: UInt64, with row: UInt64) { rows[pane] = row }

  /// Forgets a selection that a revision shows.
  mutating func shown(_ pane: UInt64, at revision: UInt64) {
    guard let wanted = confirmed[pane], revision >= wanted else { return }
    confirmed[pane] = nil
    rows[pane] = nil
  }

  /// Forgets all panes except these.
  mutating func forgetPanes(except panes: Set<UInt64>) {
    rows = rows.filter { panes.contains($0.key) }
    confirmed = confirmed.filter { panes.contains($0.key) }
  }
}
