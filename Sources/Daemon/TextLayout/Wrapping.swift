/// Appends the ends of `text`'s lines of at most `width` to `ends`, as offsets in bytes, so that one array can serve
/// many texts.
///
/// Line *i* is `text[ends[i - 1] ..< ends[i]]`, with 0 before the first end; the last end is `text.count`, and an empty
/// text is one empty line. A painter shows a line without the bytes 0x20 and 0x0A at its end: trailing spaces take no
/// room (UAX #14, section 3) and may reach past the width, and so does the line feed that ends a line. A line feed at
/// the very end of the text begins no further line.
///
/// Lines break where UAX #14 (Unicode 15.0) lets them and no cluster is taken apart, as late as fits. A word longer
/// than a line breaks at a cluster; a cluster wider than a line stands alone on its line, the only line that can be too
/// wide. `width` is at least 1, in cells or in 1/64 points as `metrics` are. `text` is at most 2 GiB. O(n), whatever
/// the text; one pass.
public func wrap(_ text: Span<UInt8>, width: Int, metrics: TextMetrics, into ends: inout [UInt32]) {
  switch metrics {
  case .cells(let profile): LineWrapper(width: width, widths: CellWidths(profile)).wrap(text, into: &ends)
  case .advances(let table): LineWrapper(width: width, widths: AdvanceWidths(table)).wrap(text, into: &ends)
  }
}

/// How many ends ``wrap(_:width:metrics:into:)`` gives, without making them. O(n).
public func lineCount(of text: Span<UInt8>, width: Int, metrics: TextMetrics) -> Int {
  switch metrics {
  case .cells(let profile): LineWrapper(width: width, widths: CellWidths(profile)).lineCount(of: text)
  case .advances(let table): LineWrapper(width: width, widths: AdvanceWidths(table)).lineCount(of: text)
  }
}
