/// Appends the ends of `text`'s lines of at most `width` to `ends`, as offsets in bytes, so that one array can serve
/// many texts.
///
/// Line *i* is `text[ends[i - 1] ..< ends[i]]`, with 0 before the first end. The last end is `text.count`, and an empty
/// text is one empty line. Renderers omit the bytes 0x20 and 0x0A at the end of a line: trailing spaces take no space
/// (UAX #14, section 3) and may extend past the width, as may the line feed that ends a line. A line feed at the very
/// end of the text does not begin another line.
///
/// Lines break as late as fits, where UAX #14 (Unicode 15.0) allows it without splitting a cluster. A word longer than
/// a line breaks at a cluster. A cluster wider than a line has a line to itself, the only kind of line that is too
/// wide. `width` is at least 1, in cells or in 1/64 points depending on `metrics`. `text` is at most 2 GiB. O(n) for
/// any text, in one pass. If `joinsEmptyLines`, a run of lines of nothing but spaces and line feeds is one line, which
/// ends where its last line does.
public func wrap(
  _ text: Span<UInt8>, width: Int, metrics: TextMetrics, joinsEmptyLines: Bool = false, into ends: inout [UInt32]
) {
  switch metrics {
  case .cells(let profile):
    LineWrapper(width: width, widths: CellWidths(profile)).wrap(text, joinsEmptyLines: joinsEmptyLines, into: &ends)
  case .advances(let table):
    LineWrapper(width: width, widths: AdvanceWidths(table)).wrap(text, joinsEmptyLines: joinsEmptyLines, into: &ends)
  }
}

/// Returns the number of ends that ``wrap(_:width:metrics:joinsEmptyLines:into:)`` appends, without making them. O(n).
public func lineCount(
  of text: Span<UInt8>, width: Int, metrics: TextMetrics, joinsEmptyLines: Bool = false
) -> Int {
  switch metrics {
  case .cells(let profile):
    LineWrapper(width: width, widths: CellWidths(profile)).lineCount(of: text, joinsEmptyLines: joinsEmptyLines)
  case .advances(let table):
    LineWrapper(width: width, widths: AdvanceWidths(table)).lineCount(of: text, joinsEmptyLines: joinsEmptyLines)
  }
}
