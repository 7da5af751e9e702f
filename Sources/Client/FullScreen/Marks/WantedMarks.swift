internal import ViewState

/// Marks of posts as they were last wanted, until a frame shows it. Each key turns what was last wanted, whether or not
/// that shows yet, and the daemon does one after the other, so that fast keys end in what was wanted last.
struct WantedMarks {
  /// A mark as it was last wanted.
  private struct Wanted {
    var isOn: Bool
    /// Calls without an answer.
    var calls: Int
    /// When it shows: nothing earlier says how it is.
    var revision: UInt64

    /// The rows of a revision may not say yet what is wanted.
    func isStillToShow(at shown: UInt64) -> Bool { calls > 0 || revision > shown }
  }

  private var marks: [Marked: Wanted] = [:]

  /// The state in which a mark is wanted that the rows of a revision may not show yet; nil where they tell.
  func isOn(_ marked: Marked, shown revision: UInt64) -> Bool? {
    marks[marked].flatMap { $0.isStillToShow(at: revision) ? $0.isOn : nil }
  }

  /// Forgets how marks were wanted that a revision shows, or that are not so: its rows tell.
  mutating func forgetShown(at revision: UInt64) { marks = marks.filter { $0.value.isStillToShow(at: revision) } }

  /// Notes how a mark is wanted that a call is about.
  mutating func want(_ marked: Marked, _ isOn: Bool) {
    marks[marked] = Wanted(isOn: isOn, calls: (marks[marked]?.calls ?? 0) + 1, revision: 0)
  }

  /// Notes that a call about a mark has ended, and when it shows; nil where it failed.
  mutating func answered(_ marked: Marked, shownAt revision: UInt64?) {
    guard var wanted = marks[marked] else { return }
    wanted.calls -= 1
    if let revision { wanted.revision = revision }
    // What failed is not so, whatever was wanted: the row tells.
    marks[marked] = revision == nil && wanted.calls == 0 ? nil : wanted
  }

  // MARK: Unread

  /// True where a row of a pane is a post that is unread, as far as this client has wanted nothing else since.
  func isUnread(_ row: PlacedRow, in pane: Pane, shown revision: UInt64) -> Bool {
    let fields = row.content.fields
    guard fields.kind == .post, fields.postID != 0 else { return false }
    if let isUnread = isOn(Marked(post: fields.postID, kind: .unread), shown: revision) { return isUnread }
    switch fields.readMark {
    case .read: return false
    case .unread: return true
    case .none:
      guard pane.status.newRows > 0 else { return false }
      // Rows that are held begin above the one that was read last or below it. Gaps among them are counted as rows, and
      // not as new.
      guard let read = pane.rows.firstIndex(where: { $0.rowID == pane.status.readingRow }) else {
        return pane.status.rowsAbove < pane.status.newRows
      }
      return pane.rows.prefix(read).contains { $0.rowID == row.rowID }
    }
  }

  /// True where a row is a post that is marked so, wherever it stands.
  func isMarkedUnread(_ row: PlacedRow, shown revision: UInt64) -> Bool {
    let fields = row.content.fields
    guard fields.postID != 0 else { return false }
    return isOn(Marked(post: fields.postID, kind: .unread), shown: revision) ?? (fields.readMark == .unread)
  }
}
