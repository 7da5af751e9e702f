extension SafeText {
  /// Whether a reader sees anything of it: a character that is no white space, is not meant to be ignored (zero width
  /// space, joiner, soft hyphen, Hangul filler), and controls and formats nothing. U+FFFD, which stands for what could
  /// not be kept, does not count. O(n).
  public var hasVisibleCharacter: Bool {
    string.unicodeScalars.contains { scalar in
      let properties = scalar.properties
      guard scalar != "\u{FFFD}", !properties.isWhitespace, !properties.isDefaultIgnorableCodePoint else {
        return false
      }
      return properties.generalCategory != .control && properties.generalCategory != .format
    }
  }
}
