extension String {
  /// The text as quoted in a message: one harmless line (``SafeText``), cut if it is longer than 200 bytes. O(n).
  public var shortened: String {
    let line = SafeText(line: self)
    guard line.count > 200 else { return line.string }
    // Cut by scalars, since a single character can have any number of marks.
    return String(String.UnicodeScalarView(line.string.unicodeScalars.prefix(60))) + "…"
  }
}
