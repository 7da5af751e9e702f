/// TAB-separated values for `cut`, `awk` and `while read`: `--plain`.
///
/// Within a value a TAB is written `\t`, an LF `\n` and a backslash `\\`, so that every line is a row whatever the
/// texts contain. Other control characters become U+FFFD.
enum PlainCell {
  /// Returns a line of `cells`, LF included.
  static func line(_ cells: [[UInt8]]) -> [UInt8] {
    var line: [UInt8] = []
    for (index, cell) in cells.enumerated() {
      if index > 0 { line.append(0x09) }
      append(cell, to: &line)
    }
    line.append(0x0A)
    return line
  }

  private static func append(_ cell: [UInt8], to line: inout [UInt8]) {
    // The three bytes that are escaped never occur inside a longer UTF-8 sequence.
    for piece in cell.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
      if piece.offset > 0 { line += Array("\\n".utf8) }
      var escaped: [UInt8] = []
      for byte in piece.element {
        switch byte {
        case 0x09: escaped += Array("\\t".utf8)
        case 0x5C: escaped += Array("\\\\".utf8)
        default: escaped.append(byte)
        }
      }
      HarmlessText.append(escaped, to: &line)
    }
  }
}
