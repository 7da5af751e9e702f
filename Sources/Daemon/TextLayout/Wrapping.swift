/// Wraps `text` into lines of at most `width` cells and returns the lines' ends, as offsets in bytes.
///
/// Line *i* is `text[ends[i - 1] ..< ends[i]]`, with 0 before the first end; the last end is `text.count`, and an empty text is
/// one empty line. A painter shows a line without the bytes 0x20 and 0x0A at its end: trailing spaces take no room (UAX #14,
/// section 3) and may reach past the width, and so does the line feed that ends a line. A line feed at the very end of the text
/// begins no further line.
///
/// Lines break where UAX #14 (Unicode 15.0) lets them and no cluster is taken apart, as late as fits. A word longer than a line
/// breaks at a cluster; a cluster wider than a line stands alone on its line, the only line that can be too wide.
/// `width` is at least 1. `text` is at most 2 GiB. O(n), whatever the text; one pass.
public func wrap(_ text: Span<UInt8>, width: Int, profile: CellProfile) -> [UInt32] {
  var ends: [UInt32] = []
  wrap(text, width: width, profile: profile, into: &ends)
  return ends
}

/// Wraps an array; see ``wrap(_:width:profile:)-(Span<UInt8>,_,_)``.
public func wrap(_ text: [UInt8], width: Int, profile: CellProfile) -> [UInt32] {
  wrap(text.span, width: width, profile: profile)
}

/// Appends the ends of `text`'s lines to `ends`, so that one array can serve many texts.
public func wrap(_ text: Span<UInt8>, width: Int, profile: CellProfile, into ends: inout [UInt32]) {
  LineWrapper(width: width, profile: profile).wrap(text, into: &ends)
}
