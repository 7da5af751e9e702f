package import ViewState

/// The lines of a row's text as the daemon cut them.
package enum LineRanges {
  /// Returns the byte ranges of the lines, without trailing spaces and line feeds, which are not painted (types.proto,
  /// Row.line_ends).
  ///
  /// Impossible line ends are ignored, and the remaining text becomes the last line: unless the row is folded, a client
  /// always shows all of a text.
  package static func ranges(of text: [UInt8], _ layout: RowLayout) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    var start = 0
    for end in layout.lineEnds where end >= start && end <= text.count {
      ranges.append(start..<Int(end))
      start = Int(end)
    }
    if start < text.count && layout.foldedLines == 0 || ranges.isEmpty { ranges.append(start..<text.count) }
    return ranges.map { trimmed(text, $0) }
  }

  private static func trimmed(_ text: [UInt8], _ range: Range<Int>) -> Range<Int> {
    var end = range.upperBound
    while end > range.lowerBound, text[end - 1] == 0x20 || text[end - 1] == 0x0A { end -= 1 }
    return range.lowerBound..<end
  }
}
