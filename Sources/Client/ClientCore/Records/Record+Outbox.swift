public import Messages
internal import ViewState

extension Record {
  /// Something that a source elsewhere has not done yet; people see the beginning of its text.
  public static func outbox(_ item: OutboxItem) -> Record {
    let standing =
      switch item.delivery {
      case .failed: "failed: \(item.failure)"
      case .pending, .none: item.isAsked ? "asked" : "waiting"
      }
    let line = item.text.split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
    let text = line.count > textLimit ? line.prefix(textLimit) + "…" : line[...]
    return Record(
      [
        ("id", .identifier(item.postID)), ("source", .text(Array(item.source.utf8))),
        ("action", .text(Array(item.action.utf8))),
        ("delivery", .text(Array(item.delivery.name.utf8))), ("asked", .flag(item.isAsked)),
        ("failure", .text(Array(item.failure.utf8))), ("text", .text(Array(item.text.utf8))),
      ],
      facts: [
        Piece(String(item.postID)), Piece("\(item.action) at \(item.source)"), Piece(standing, .faint),
        Piece(String(text), .faint),
      ])
  }

  /// Letters of a text that are shown.
  private static let textLimit = 40
}

extension Delivery {
  /// The word for it in JSON.
  var name: String {
    switch self {
    case .none: "none"
    case .pending: "pending"
    case .failed: "failed"
    }
  }

  /// How it is told in a row, with the reason; nil where there is nothing to tell.
  package func words(_ failure: [UInt8]) -> [UInt8]? {
    switch self {
    case .none: nil
    case .pending: Array("pending…".utf8)
    case .failed: Array("failed: ".utf8) + failure
    }
  }
}
