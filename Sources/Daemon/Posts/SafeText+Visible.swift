extension SafeText {
  /// True if the text has a visible character. O(n).
  ///
  /// White space, default-ignorable characters (zero width space, joiner, soft hyphen, Hangul filler), controls and
  /// formats are invisible. U+FFFD, the replacement for characters that could not be kept, does not count.
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
