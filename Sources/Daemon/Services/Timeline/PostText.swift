internal import Engine
internal import Posts
internal import Store

/// What the text of a post may be that an account writes here. What is imported is as long as it is.
enum PostText {
  /// Bytes that it has at most, whatever the account's own limit is.
  static let byteLimit = 10_000

  /// The text as it is stored, or why there can be no such post.
  static func checked(_ text: String, for account: Account) -> Result<SafeText, EngineError> {
    let text = SafeText(text)
    guard text.hasVisibleCharacter else {
      return .failure(EngineError(.invalidArgument, "the text is empty; a post says something", field: "text"))
    }
    guard text.count <= byteLimit else {
      let message = "the text has \(text.count) bytes; a post has at most \(byteLimit)"
      return .failure(tooLong(message, text.count, byteLimit))
    }
    let length = WeightedLength.of(text)
    let limit = account.longestPost
    guard length <= limit else {
      let message =
        "the text is \(length - limit) too long: it counts \(length), and a post of \(account.name.shortened) at most \(limit)"
      return .failure(tooLong(message, length, limit))
    }
    return .success(text)
  }

  private static func tooLong(_ message: String, _ length: Int, _ limit: Int) -> EngineError {
    var error = EngineError(.invalidArgument, message, field: "text", limit: limit)
    error.length = length
    return error
  }

  /// What is left of both limits, whichever is less; negative for a text that is refused.
  static func remaining(after text: SafeText, length: Int, for account: Account) -> Int {
    min(account.longestPost - length, byteLimit - text.count)
  }
}

extension Account {
  /// How long its posts may be, as ``WeightedLength`` counts.
  var longestPost: Int { postLimit ?? WeightedLength.standardLimit }
}
