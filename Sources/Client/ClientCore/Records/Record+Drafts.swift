public import Messages

extension Record {
  /// A draft, of which people see the first line.
  public static func draft(_ draft: DraftSummary) -> Record {
    let lines = draft.text.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: true)
    let first = lines.first.map(String.init) ?? ""
    return Record(
      fields(of: draft),
      facts: [
        Piece(String(draft.draftID)), Piece(what(draft), .faint),
        Piece(ISOInstant.text(milliseconds: draft.updatedAtMilliseconds), .faint),
        Piece(lines.count > 1 ? "\(first) …" : first),
      ])
  }

  /// A draft, whole.
  public static func wholeDraft(_ draft: DraftSummary) -> Record {
    Record(
      fields(of: draft),
      lines: draft.text.split(separator: "\n", omittingEmptySubsequences: false).map { [Piece(String($0))] })
  }

  private static func fields(of draft: DraftSummary) -> [(key: StaticString, value: Value)] {
    let kind =
      switch draft.kind {
      case .answer: "answer"
      case .edit: "edit"
      case nil: "post"
      }
    return [
      ("id", .identifier(draft.draftID)), ("kind", .text(Array(kind.utf8))),
      ("post_id", draft.postID == 0 ? .none : .identifier(draft.postID)), ("text", .text(Array(draft.text.utf8))),
      ("updated_at", .text(Array(ISOInstant.text(milliseconds: draft.updatedAtMilliseconds).utf8))),
    ]
  }

  private static func what(_ draft: DraftSummary) -> String {
    switch draft.kind {
    case .answer: "an answer to \(draft.postID)"
    case .edit: "another text for \(draft.postID)"
    case nil: "a post"
    }
  }
}
