public import Messages
internal import ViewState

/// Characters of a text that are shown.
private let shownLetters = 40

extension OutboxItem {
  /// The record of an action that its source has not carried out; as text, with the beginning of the post.
  public var record: Record {
    let state =
      switch delivery {
      case .failed: "failed: \(failure)"
      case .pending, .none: isAsked ? "sent" : "waiting"
      }
    let isPostponed = nextAtMilliseconds != 0
    let next = isPostponed ? ISOInstant.text(milliseconds: nextAtMilliseconds) : ""
    let delay =
      isPostponed
      ? "postponed\(postponedReason.isEmpty ? "" : ": \(postponedReason)"), asked again at "
        + ISOInstant.minute(milliseconds: nextAtMilliseconds) : nil
    let line = text.split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
    let shown = line.count > shownLetters ? line.prefix(shownLetters) + "…" : line[...]
    return Record(
      [
        ("id", .identifier(postID)), ("source", .text(Array(source.utf8))),
        ("action", .text(Array(action.utf8))),
        ("delivery", .text(Array(delivery.name.utf8))), ("asked", .flag(isAsked)),
        ("failure", .text(Array(failure.utf8))), ("text", .text(Array(text.utf8))),
        ("postponed_reason", .text(Array(postponedReason.utf8))), ("next_at", .text(Array(next.utf8))),
      ],
      facts: [
        Record.Piece(String(postID)), Record.Piece("\(action) at \(source)"), Record.Piece(delay ?? state, .faint),
        Record.Piece(String(shown), .faint),
      ])
  }
}
