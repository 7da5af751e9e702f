import Messages
import ViewState

extension ActionModel {
  /// Returns the difference between a row that an account sees and the model; nil if there is none.
  func flaw(in row: PlacedRow, of account: Int) -> String? {
    let fields = row.content.fields
    guard let subject = subject(of: row.rowID) else { return "row \(row.rowID) is shown but does not exist" }
    let marks = subject.marks[account] ?? []
    let flags = RowFlags(marks.map(\.flag))
    let shown = fields.flags.intersection(RowFlags(MarkKind.allCases.map(\.flag)))
    let counts = [replies(of: subject.id), count(.repost, of: subject.id), count(.favourite, of: subject.id)]
    let shownCounts = [fields.replies, fields.reposts, fields.favourites]
    let text = String(decoding: fields.text, as: UTF8.self)
    let readMark = subject.readings[account] ?? .none
    if fields.readMark != readMark {
      return "row \(row.rowID) shows account \(account) \(fields.readMark), expected \(readMark)"
    }
    if text.trimmed == subject.text.trimmed, fields.postID == subject.id, shownCounts == counts, shown == flags {
      return nil
    }
    return
      "row \(row.rowID) shows account \(account) \(shownCounts) replies, reposts and favourites, \(shown) and \(text.prefix(20)), "
      + "expected \(counts), \(flags) and \(subject.text.prefix(20))"
  }
}

extension String {
  /// The string without trailing spaces.
  fileprivate var trimmed: Substring { self[..<(lastIndex { $0 != " " }.map { index(after: $0) } ?? startIndex)] }
}
