public import Messages
internal import ViewState

/// Characters of a text that are shown.
private let shownLetters = 40

extension OutboxItem {
  /// The record of an action that its source has not carried out; as text, with the beginning of the post.
  public var record: Record {
    let next = nextAtMilliseconds == 0 ? "" : ISOInstant.text(milliseconds: nextAtMilliseconds)
    return Record(
      [
        ("id", .identifier(postID)), ("source", .text(Array(source.utf8))),
        ("action", .text(Array(action.utf8))),
        ("delivery", .text(Array(delivery.name.utf8))), ("asked", .flag(isAsked)),
        ("failure", .text(Array(failure.utf8))), ("text", .text(Array(text.utf8))),
        ("postponed_reason", .text(Array(postponedReason.utf8))), ("next_at", .text(Array(next.utf8))),
      ],
      facts: [
        Record.Piece(String(postID)), Record.Piece(what), Record.Piece(state, .faint), Record.Piece(beginning, .faint),
      ])
  }

  /// The beginning of the post.
  public var beginning: String {
    let line = text.split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
    return line.count > shownLetters ? line.prefix(shownLetters) + "…" : line
  }

  /// The action, and why it is still here: "post at fake · waiting".
  public var occasion: String { "\(what) · \(state)" }

  private var what: String { "\(action) at \(source)" }

  private var state: String {
    guard nextAtMilliseconds == 0 else {
      let reason = postponedReason.isEmpty ? "" : ": \(postponedReason)"
      return "postponed\(reason), asked again at \(ISOInstant.minute(milliseconds: nextAtMilliseconds))"
    }
    return switch delivery {
    case .failed: "failed: \(failure)"
    case .pending, .none: isAsked ? "sent" : "waiting"
    }
  }
}
