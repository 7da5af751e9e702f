internal import Engine
internal import Posts
internal import Store

/// Rules for the text of a post written here. Imported text may have any length.
enum PostText {
  /// Maximum size of a text in bytes, whatever the account's own limit.
  static let byteLimit = 10_000

  /// Returns the text in its stored form, or the reason for refusing it. Whether it is too long for its source is for
  /// the store to say, which knows the source.
  static func checked(_ text: String) -> Result<SafeText, EngineError> {
    let text = SafeText(text)
    guard text.hasVisibleCharacter else {
      return .failure(EngineError(.invalidArgument, "the post is empty", field: "text"))
    }
    guard text.count <= byteLimit else {
      let message = "the post has \(text.count) bytes, but at most \(byteLimit) are allowed"
      var error = EngineError(.invalidArgument, message, field: "text", limit: byteLimit)
      error.length = text.count
      return .failure(error)
    }
    return .success(text)
  }

  /// Returns what is left of both limits, whichever is less; negative for a text that would be refused.
  static func remaining(after text: SafeText, length: Int, of limit: Int) -> Int {
    min(limit - length, byteLimit - text.count)
  }
}
