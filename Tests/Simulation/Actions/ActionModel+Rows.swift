import Messages
import ViewState

extension ActionModel {
  /// What a row that an account is shown says of a post that is not so; nil where all of it is.
  func flaw(in row: PlacedRow, of account: Int) -> String? {
    let fields = row.content.fields
    guard let subject = subject(of: row.rowID) else { return "row \(row.rowID) is shown and is not there" }
    let marks = subject.marks[account] ?? []
    let flags = RowFlags(marks.map(\.flag))
    let shown = fields.flags.intersection(RowFlags(MarkKind.allCases.map(\.flag)))
    let counts = [answers(of: subject.id), count(.repost, of: subject.id), count(.favourite, of: subject.id)]
    let shownCounts = [fields.replies, fields.reposts, fields.favourites]
    let text = String(decoding: fields.text, as: UTF8.self)
    let readMark = subject.readings[account] ?? .none
    if fields.readMark != readMark {
      return "row \(row.rowID) tells account \(account) \(fields.readMark), and it said \(readMark)"
    }
    if text.trimmed == subject.text.trimmed, fields.postID == subject.id, shownCounts == counts, shown == flags {
      return nil
    }
    return
      "row \(row.rowID) tells account \(account) of \(shownCounts) answers, reposts and favourites, \(shown) and \(text.prefix(20)), "
      + "and there are \(counts), \(flags) and \(subject.text.prefix(20))"
  }
}

extension String {
  /// Without spaces at its end.
  fileprivate var trimmed: Substring { self[..<(lastIndex { $0 != " " }.map { index(after: $0) } ?? startIndex)] }
}
