/// Functions that interpret typed lines.
enum LineWords {
  /// Removes leading and trailing blanks.
  static func trimmed(_ text: String) -> String {
    String(text.drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
  }

  /// Returns a hashtag with its sign.
  static func topic(_ words: String) -> String { words.hasPrefix("#") ? words : "#\(words)" }

  /// Returns a message of the daemon as a sentence.
  static func sentence(_ words: String) -> String {
    let head = words.prefix(1).uppercased() + words.dropFirst()
    return head.hasSuffix(".") || head.hasSuffix("?") || head.hasSuffix("!") ? head : head + "."
  }

  /// Splits a line into words at blanks, except between quotes of either kind. An unclosed quote extends to the end.
  static func split(_ line: String) -> [String] {
    var words: [String] = []
    var word: String?
    var quote: Character?
    for character in line {
      if let open = quote {
        if character == open { quote = nil } else { word?.append(character) }
      } else if character == "\"" || character == "'" {
        quote = character
        word = word ?? ""
      } else if character == " " {
        if let done = word { words.append(done) }
        word = nil
      } else {
        word = (word ?? "") + String(character)
      }
    }
    if let done = word { words.append(done) }
    return words
  }

  /// Returns pasted text as it was copied: terminals send line feeds as carriage returns.
  static func pasted(_ bytes: [UInt8]) -> String {
    let text = String(decoding: bytes, as: UTF8.self)
    guard text.utf8.contains(0x0D) else { return text }
    var scalars = String.UnicodeScalarView()
    var wasReturn = false
    for scalar in text.unicodeScalars {
      if scalar == "\n", wasReturn {
        wasReturn = false
        continue
      }
      wasReturn = scalar == "\r"
      scalars.append(wasReturn ? "\n" : scalar)
    }
    return String(scalars)
  }
}
