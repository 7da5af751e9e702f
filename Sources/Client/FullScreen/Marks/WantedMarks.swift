internal import ViewState

/// The marks last asked for, until a frame shows them. Each key toggles the mark last asked for, shown or not, and the
/// daemon applies them in order, so that quick keys end in the last state asked for.
struct WantedMarks {
  /// A mark as last asked for.
  private struct Wanted {
    var isOn: Bool
    /// The number of unanswered calls.
    var calls: Int
    /// The revision that shows it. Earlier revisions say nothing about it.
    var revision: UInt64

    /// True if the rows of a revision may not show it yet.
    func isStillToShow(at shown: UInt64) -> Bool { calls > 0 || revision > shown }
  }

  private var marks: [Marked: Wanted] = [:]

  /// Returns the state a mark will have, if the rows of a revision may not show it yet; nil if the rows are right.
  func isOn(_ marked: Marked, shown revision: UInt64) -> Bool? {
    marks[marked].flatMap { $0.isStillToShow(at: revision) ? $0.isOn : nil }
  }

  /// Forgets marks that a revision shows, or that failed: its rows are right.
  mutating func forgetShown(at revision: UInt64) { marks = marks.filter { $0.value.isStillToShow(at: revision) } }

  /// Records the state asked for by a call.
  mutating func want(_ marked: Marked, _ isOn: Bool) {
    marks[marked] = Wanted(isOn: isOn, calls: (marks[marked]?.calls ?? 0) + 1, revision: 0)
  }

  /// Records the end of a call, with the revision that shows the mark; nil if it failed.
  mutating func answered(_ marked: Marked, shownAt revision: UInt64?) {
    guard var wanted = marks[marked] else { return }
    wanted.calls -= 1
    if let revision { wanted.revision = revision }
    // A failed call changed nothing, whatever was asked for: the row is right.
    marks[marked] = revision == nil && wanted.calls == 0 ? nil : wanted
  }

  // MARK: Unread

  /// True if a row of a pane is an unread post, including what this client has asked for since.
  func isUnread(_ row: PlacedRow, in pane: Pane, shown revision: UInt64) -> Bool {
    let fields = row.content.fields
    guard fields.kind == .post, fields.postID != 0 else { return false }
    if let isUnread = isOn(Marked(post: fields.postID, kind: .unread), shown: revision) { return isUnread }
    switch fields.readMark {
    case .read: return false
    case .unread: return true
    case .none:
      guard pane.status.newRows > 0 else { return false }
      // The rows held begin above or below the reading position. Gaps count as rows, but not as new.
      guard let read = pane.rows.firstIndex(where: { $0.rowID == pane.status.readingRow }) else {
        return pane.status.rowsAbove < pane.status.newRows
      }
      return pane.rows.prefix(read).contains { $0.rowID == row.rowID }
    }
  }

  /// True if a row is a post marked as unread, wherever it is.
  func isMarkedUnread(_ row: PlacedRow, shown revision: UInt64) -> Bool {
    let fields = row.content.fields
    guard fields.postID != 0 else { return false }
    return isOn(Marked(post: fields.postID, kind: .unread), shown: revision) ?? (fields.readMark == .unread)
  }
}
