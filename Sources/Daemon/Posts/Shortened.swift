extension String {
  /// The text as quoted in a message: one harmless line (``SafeText``), cut if it is longer than 200 bytes. O(n).
  public var shortened: String {
    let line = SafeText(line: self)
    guard line.count > 200 else { return line.string }
    // Cut by scalars, since a single character can have any number of marks.
    return String(String.UnicodeScalarView(line.string.unicodeScalars.prefix(60))) + "…"
  }

  /// Returns the text if it has at most `limit` bytes; otherwise as much of it as fits, with "…" behind it. O(n).
  public func shortened(to limit: Int) -> String {
    guard utf8.count > limit else { return self }
    var end = utf8.index(utf8.startIndex, offsetBy: max(0, limit - 3))
    while end > startIndex, utf8[end] & 0xC0 == 0x80 { end = utf8.index(before: end) }
    return self[..<end] + "…"
  }
}
