internal import Engine
internal import Posts
internal import Store

/// Rules for the text of a post written here. Imported text may have any length.
enum PostText {
  /// Maximum size of a text in bytes, whatever the account's own limit.
  static let byteLimit = 10_000

  /// Returns the text in its stored form, or the reason for refusing it.
  static func checked(_ text: String, for account: Account) -> Result<SafeText, EngineError> {
    let text = SafeText(text)
    guard text.hasVisibleCharacter else {
      return .failure(EngineError(.invalidArgument, "the post is empty", field: "text"))
    }
    guard text.count <= byteLimit else {
      let message = "the post has \(text.count) bytes, but at most \(byteLimit) are allowed"
      return .failure(tooLong(message, text.count, byteLimit))
    }
    let length = WeightedLength.of(text)
    let limit = account.longestPost
    guard length <= limit else {
      let message = "too long by \(length - limit): \(length) of \(limit) characters"
      return .failure(tooLong(message, length, limit))
    }
    return .success(text)
  }

  private static func tooLong(_ message: String, _ length: Int, _ limit: Int) -> EngineError {
    var error = EngineError(.invalidArgument, message, field: "text", limit: limit)
    error.length = length
    return error
  }

  /// Returns what is left of both limits, whichever is less; negative for a text that would be refused.
  static func remaining(after text: SafeText, length: Int, for account: Account) -> Int {
    min(account.longestPost - length, byteLimit - text.count)
  }
}

extension Account {
  /// Maximum length of its posts, in the units of ``WeightedLength``.
  var longestPost: Int { postLimit ?? WeightedLength.standardLimit }
}
