@_spi(_Unicode) internal import Swift

/// The length of a text as counted by docs/BEHAVIOUR.md, rule 47, which follows twitter-text 3.1.0, `config/v3.json`.
///
/// The text is counted in Normalization Form C. A link counts ``link``, an emoji 2 regardless of its number of scalars,
/// a character of European and Near Eastern scripts or common punctuation 1, and every other character 2.
public enum WeightedLength {
  /// The length of a link, regardless of its characters.
  public static let link = 23
  /// The maximum length of a post, unless its account has another limit.
  public static let standardLimit = 280

  /// Returns the length of `text`. O(n).
  public static func of(_ text: SafeText) -> Int { of(text.string) }

  /// Returns the length of `text`. Without `joinsEmoji`, as before version 3, an emoji counts as its scalars do.
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

  /// Returns the weight of a scalar by the ranges of `config/v3.json`.
  private static func weight(_ scalar: Unicode.Scalar) -> Int {
    switch scalar.value {
    case 0...4351, 8192...8205, 8208...8223, 8242...8247: 1
    default: 2
    }
  }

  /// Returns the text in Normalization Form C. The standard library implements it, but has no public name for it.
  private static func normalized(_ text: String) -> String {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text }
    var scalars = String.UnicodeScalarView()
    for scalar in text._nfc { scalars.append(scalar) }
    return String(scalars)
  }
}
