public import Messages

extension DraftSummary {
  /// The record of a draft; as text, with the first line only.
  public var record: Record {
    Record(
      fields,
      facts: [
        Record.Piece(String(draftID)), Record.Piece(subject, .faint), Record.Piece(saved, .faint),
        Record.Piece(beginning),
      ])
  }

  /// The first line of the draft, with an ellipsis if there are more.
  public var beginning: String {
    let lines = text.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: true)
    let first = lines.first.map(String.init) ?? ""
    return lines.count > 1 ? "\(first) …" : first
  }

  /// What the draft becomes, and when it was saved: "reply · 2026-11-05 22:00 UTC".
  public var occasion: String { "\(word) · \(saved)" }

  private var saved: String { ISOInstant.minute(milliseconds: updatedAtMilliseconds) }

  /// The record of a draft; as text, the whole draft.
  public var wholeRecord: Record {
    Record(
      fields,
      lines: text.split(separator: "\n", omittingEmptySubsequences: false).map { [Record.Piece(String($0))] })
  }

  private var word: String {
    switch kind {
    case .answer: "reply"
    case .edit: "edit"
    case nil: "post"
    }
  }

  private var fields: [(key: StaticString, value: Record.Value)] {
    [
      ("id", .identifier(draftID)), ("kind", .text(Array(word.utf8))),
      ("post_id", postID == 0 ? .none : .identifier(postID)), ("text", .text(Array(text.utf8))),
      ("updated_at", .text(Array(ISOInstant.text(milliseconds: updatedAtMilliseconds).utf8))),
      ("content_warning", .text(Array(contentWarning.utf8))), ("language", .text(Array(language.utf8))),
    ]
  }

  private var subject: String {
    switch kind {
    case .answer: "reply to \(postID)"
    case .edit: "edit of \(postID)"
    case nil: "new post"
    }
  }
}
