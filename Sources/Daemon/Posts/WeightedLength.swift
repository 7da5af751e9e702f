@_spi(_Unicode) internal import Swift

/// How long a text is by the rule of behaviour.md, 47: that of twitter-text 3.1.0, `config/v3.json`.
///
/// The text is taken in Normalization Form C. A link counts ``link``, an emoji 2 however many scalars it is made of, a
/// character of the scripts of Europe and the Near East and of usual punctuation 1, every other one 2.
public enum WeightedLength {
  /// What a link counts, however long it is.
  public static let link = 23
  /// What a post has at most where its account has no other limit.
  public static let standardLimit = 280

  /// The length of `text`. O(n).
  public static func of(_ text: SafeText) -> Int { of(text.string) }

  /// The length of `text`; without `joinsEmoji`, which is how it was before version 3, an emoji counts what its scalars
  /// do.
  static func of(_ text: String, joinsEmoji: Bool = true) -> Int {
    let text = ScalarText(normalized(text))
    var links = LinkFinder.find(in: text, takesAnyHost: false)[...]
    var length = 0
    var index = 0
    while index < text.count {
      if let next = links.first, next.range.lowerBound == index {
        length += link
        index = next.range.upperBound
        links.removeFirst()
      } else if joinsEmoji, let end = Emoji.end(in: text, from: index) {
        length += 2
        index = end
      } else {
        length += weight(text.scalars[index])
        index += 1
      }
    }
    return length
  }

  /// The ranges of `config/v3.json`.
  private static func weight(_ scalar: Unicode.Scalar) -> Int {
    switch scalar.value {
    case 0...4351, 8192...8205, 8208...8223, 8242...8247: 1
    default: 2
    }
  }

  /// The text in Normalization Form C; the standard library has it, without a public name for it.
  private static func normalized(_ text: String) -> String {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text }
    var scalars = String.UnicodeScalarView()
    for scalar in text._nfc { scalars.append(scalar) }
    return String(scalars)
  }
}
