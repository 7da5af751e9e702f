/// A row's content cut into lines for one layout key: what the schema's message Row holds.
///
/// A class, so that every view with the layout key holds the same one, a diff sees by identity that nothing changed,
/// and its bytes are made once and put into every frame that needs them. Immutable.
public final class LaidOutRow: Sendable, Equatable {
  public let content: RowContent
  public let layout: RowLayout
  /// The bytes of the schema's Row, where whoever made the row has made them too; otherwise empty.
  public let encoded: [UInt8]

  /// Puts the parts together. `encoded` is trusted.
  public init(content: RowContent, layout: RowLayout, encoded: [UInt8] = []) {
    self.content = content
    self.layout = layout
    self.encoded = encoded
  }

  public static func == (left: LaidOutRow, right: LaidOutRow) -> Bool {
    left === right || (left.layout == right.layout && left.content == right.content)
  }
}

/// A row as one view shows it.
public struct PlacedRow: Equatable, Sendable {
  public var row: LaidOutRow
  public var caps: Caps
  /// The text of its time.
  public var label: String
  /// The line above it that tells which day begins; nil where none does.
  public var day: DayLine?
  /// Where it stands in a conversation's tree.
  public var tree = TreePlace()

  /// Puts the parts together.
  public init(row: LaidOutRow, caps: Caps, label: String, day: DayLine? = nil) {
    self.row = row
    self.caps = caps
    self.label = label
    self.day = day
  }

  /// Lays a content out.
  public init(content: RowContent, layout: RowLayout, caps: Caps, label: String, day: DayLine? = nil) {
    self.init(row: LaidOutRow(content: content, layout: layout), caps: caps, label: label, day: day)
  }

  /// Its height with the line of its day.
  public var height: Int { row.layout.height + (day?.height ?? 0) }

  /// The row's id, which also is its key in every list.
  public var rowID: UInt64 { row.content.rowID }
  /// What it says.
  public var content: RowContent { row.content }
  /// How it is cut. Setting it makes another row.
  public var layout: RowLayout {
    get { row.layout }
    set { row = LaidOutRow(content: row.content, layout: newValue) }
  }
}

/// Where a row stands in a conversation's tree.
public struct TreePlace: Hashable, Sendable {
  /// 0 for the ancestors and the post itself, 1 to 5 for replies: deeper ones stand at 5.
  public var depth = 0
  /// Replies below it that are not shown because it is collapsed.
  public var collapsedReplies = 0

  /// A row that is no reply.
  public init() {}
}

/// The line above the first row of a day.
public struct DayLine: Hashable, Sendable {
  /// "Today", "Yesterday", "Friday", "Mar 3".
  public var label: String
  /// In addition to the row's own height.
  public var height: Int

  /// Puts the parts together.
  public init(label: String, height: Int) {
    self.label = label
    self.height = height
  }
}
