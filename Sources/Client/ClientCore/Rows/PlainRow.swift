public import ViewState

/// Rows as lines of TAB-separated values, for `cut`, `awk` and `while read`: `--plain`.
///
/// One row a line, no header. Columns never change their place; new ones are added at the end. Within a column a TAB is
/// written `\t`, an LF `\n` and a backslash `\\`, so that a line is a row whatever people write; other control characters
/// become U+FFFD.
public enum PlainRow {
  /// The columns, in their order (docs/CLIENT.md).
  public static let columns = [
    "id", "created_at", "author", "name", "text", "permalink", "reposted_by", "in_reply_to", "replies", "reposts",
    "favourites", "visibility", "content_warning", "post_id",
  ]

  /// The line of `row`, LF included.
  public static func line(_ row: PlacedRow) -> [UInt8] {
    let fields = row.content.fields
    let cells: [[UInt8]] = [
      ascii(fields.rowID), Array(ISOInstant.text(milliseconds: fields.createdAtMilliseconds).utf8),
      fields.author.handle, fields.author.displayName, fields.text, fields.permalink, fields.repostedBy?.handle ?? [],
      fields.inReplyTo == 0 ? [] : ascii(fields.inReplyTo), ascii(fields.replies), ascii(fields.reposts),
      ascii(fields.favourites), Array(VisibilityName.of(fields.visibility).utf8), fields.contentWarning,
      ascii(fields.postID),
    ]
    var line: [UInt8] = []
    for (index, cell) in cells.enumerated() {
      if index > 0 { line.append(0x09) }
      append(cell, to: &line)
    }
    line.append(0x0A)
    return line
  }

  private static func ascii(_ number: some BinaryInteger) -> [UInt8] { Array(String(number).utf8) }

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
