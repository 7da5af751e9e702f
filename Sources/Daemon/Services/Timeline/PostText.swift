internal import Engine
internal import Posts
internal import Store
internal import ViewState

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

  /// Returns a content warning in its stored form.
  static func checkedWarning(_ line: String) throws(EngineError) -> SafeText {
    let line = SafeText(line: line)
    guard line.count <= SharedLimits.warningBytes else {
      var error = EngineError(
        .invalidArgument,
        "the content warning has \(line.count) bytes, but at most \(SharedLimits.warningBytes) are allowed",
        field: "content_warning", limit: SharedLimits.warningBytes)
      error.length = line.count
      throw error
    }
    return line.hasVisibleCharacter ? line : .empty
  }

  /// Returns a language tag (BCP 47): letters, digits and hyphens.
  static func checkedLanguage(_ tag: String) throws(EngineError) -> SafeText {
    guard tag.utf8.count <= SharedLimits.languageBytes, tag.utf8.allSatisfy(\.isTagByte) else {
      let message = "'\(SafeText(line: tag).string.shortened)' is not a language tag, such as en, pt-BR or zh-Hant"
      throw EngineError(.invalidArgument, message, field: "language")
    }
    return SafeText(line: tag)
  }

  /// Returns what is left of both limits, whichever is less; negative for a text that would be refused.
  static func remaining(after text: SafeText, length: Int, of limit: Int) -> Int {
    min(limit - length, byteLimit - text.count)
  }
}

extension UInt8 {
  /// True for the bytes of language tags.
  fileprivate var isTagByte: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
      true
    default: false
    }
  }
}
