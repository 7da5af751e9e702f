public import ViewState

/// Rows as lines of TAB-separated values.
///
/// One row per line, no header. Columns never move; new ones are added at the end.
public enum PlainRow {
  /// The columns in order (docs/CLIENT.md).
  public static let columns = [
    "id", "created_at", "author", "name", "text", "permalink", "reposted_by", "in_reply_to", "replies", "reposts",
    "favourites", "visibility", "content_warning", "post_id", "direct", "depth", "source",
  ]

  /// Returns the line of `row`, LF included.
  public static func line(_ row: PlacedRow) -> [UInt8] {
    let fields = row.content.fields
    return PlainCell.line([
      ascii(fields.rowID), Array(ISOInstant.text(milliseconds: fields.createdAtMilliseconds).utf8),
      fields.author.handle, fields.author.displayName, fields.text, fields.permalink, fields.repostedBy?.handle ?? [],
      fields.inReplyTo == 0 ? [] : ascii(fields.inReplyTo), ascii(fields.replies), ascii(fields.reposts),
      ascii(fields.favourites), Array(VisibilityName.of(fields.visibility).utf8), fields.contentWarning,
      ascii(fields.postID), fields.direct == 0 ? [] : ascii(fields.direct), ascii(row.tree.depth),
      fields.author.source,
    ])
  }

  private static func ascii(_ number: some BinaryInteger) -> [UInt8] { Array(String(number).utf8) }
}
