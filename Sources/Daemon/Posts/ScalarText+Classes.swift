/// The character classes of twitter-text 3.1.0 (`rb/lib/twitter-text/regex.rb`), under its names.
extension Unicode.Scalar {
  /// The scalar's value, with capital ASCII letters mapped to small ones.
  var lowercased: UInt32 { (0x41...0x5A).contains(value) ? value + 32 : value }

  var isASCIILetter: Bool { (0x61...0x7A).contains(lowercased) }
  var isASCIIDigit: Bool { (0x30...0x39).contains(value) }
  var isASCIILetterOrDigit: Bool { isASCIILetter || isASCIIDigit }
  /// A letter, digit or "_", as in names.
  var isName: Bool { isASCIILetterOrDigit || self == "_" }
  var isAtSign: Bool { self == "@" || self == "\u{FF20}" }
  var isHashSign: Bool { self == "#" || self == "\u{FF03}" }

  /// A printable ASCII character that may come before the "@" in an address that names a user.
  var isUser: Bool { (0x21...0x7E).contains(value) && !"/?#@\"<>".unicodeScalars.contains(self) }

  /// `latin_accents`.
  var isLatinAccent: Bool {
    switch value {
    case 0xC0...0xD6, 0xD8...0xF6, 0xF8...0x24F, 0x253...0x254, 0x256...0x257, 0x259, 0x25B, 0x263, 0x268, 0x26F, 0x272,
      0x289, 0x28B,
      0x2BB, 0x300...0x36F, 0x1E00...0x1EFF:
      true
    default: false
    }
  }

  /// `directional_characters`.
  var isDirectional: Bool {
    switch value {
    case 0x61C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
    default: false
    }
  }

  /// Characters that valid text never contains, and U+FFFD, which replaces them here (``SafeText``).
  var isInvalid: Bool { [0xFFFE, 0xFEFF, 0xFFFF, 0xFFFD].contains(value) }

  /// A letter or mark of a hashtag. The lists in twitter-text contain further characters, which Unicode has made
  /// letters since.
  var isTagLetter: Bool {
    switch properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter: true
    case .nonspacingMark, .spacingMark, .enclosingMark: true
    default: false
    }
  }

  /// `HASHTAG_LETTERS_NUMERALS`.
  var isTag: Bool {
    if isASCIILetterOrDigit { return true }
    switch value {
    case 0x5F, 0x200C, 0x200D, 0xA67E, 0x5BE, 0x5F3, 0x5F4, 0xFF5E, 0x301C, 0x309B, 0x309C, 0x30A0, 0x30FB, 0x3003,
      0xF0B, 0xF0C, 0xB7:
      return true
    default: return value >= 0x80 && (isTagLetter || properties.generalCategory == .decimalNumber)
    }
  }

  /// `DOMAIN_VALID_CHARS`.
  var isDomain: Bool {
    if value < 0x80 { return isASCIILetterOrDigit }
    return !isDirectional && !isInvalid && !isSpace
  }

  /// `UNICODE_SPACES` beyond ASCII.
  private var isSpace: Bool {
    switch value {
    case 0x85, 0xA0, 0x1680, 0x180E, 0x2000...0x200A, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000: true
    default: false
    }
  }

  /// `valid_general_url_path_chars`.
  var isPath: Bool {
    if value < 0x80 {
      return isASCIILetterOrDigit || "!*';:=+,.$/%#[]-_~&|@".unicodeScalars.contains(self)
    }
    return isLatinAccent || isCyrillic || properties.generalCategory == .dashPunctuation
  }

  /// The characters that a path may end with.
  var isPathEnd: Bool {
    value < 0x80 ? isASCIILetterOrDigit || "=_#/+-".unicodeScalars.contains(self) : isLatinAccent || isCyrillic
  }

  /// `valid_url_query_chars`.
  var isQuery: Bool { isASCIILetterOrDigit || "!?*'();:&=+$/%#[]-_.,~|@".unicodeScalars.contains(self) }

  /// The characters that a query may end with.
  var isQueryEnd: Bool { isASCIILetterOrDigit || "_&=#/-".unicodeScalars.contains(self) }

  private var isCyrillic: Bool {
    switch value {
    case 0x400...0x52F, 0x1C80...0x1C8F, 0x1D2B, 0x1D78, 0x2DE0...0x2DFF, 0xA640...0xA69F, 0xFE2E...0xFE2F: true
    default: false
    }
  }
}
