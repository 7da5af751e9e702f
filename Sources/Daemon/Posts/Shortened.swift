extension String {
  /// What a sentence repeats of a text from outside: one harmless line (``SafeText``), cut where it has more than 200
  /// bytes. O(n).
  public var shortened: String {
    let line = SafeText(line: self)
    guard line.count > 200 else { return line.string }
    // By scalars: a single character may have any number of marks.
    return String(String.UnicodeScalarView(line.string.unicodeScalars.prefix(60))) + "…"
  }
}
