/// A row's content laid out for one layout key; the schema's Row.
///
/// A class, so that all views with the layout key share one instance, a diff detects unchanged rows by identity, and
/// its bytes are encoded once for every frame that needs them. Immutable.
public final class LaidOutRow: Sendable, Equatable {
  public let content: RowContent
  public let layout: RowLayout
  /// The bytes of the schema's Row if its creator has encoded them; otherwise empty.
  public let encoded: [UInt8]

  /// Creates a row. `encoded` is trusted.
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
  /// The time label.
  public var label: String
  /// The line above it that names the day; nil if the row does not begin a day.
  public var day: DayLine?
  /// Its place in a conversation's tree.
  public var tree = TreePlace()

  public init(row: LaidOutRow, caps: Caps, label: String, day: DayLine? = nil) {
    self.row = row
    self.caps = caps
    self.label = label
    self.day = day
  }

  /// A row with a content and its layout.
  public init(content: RowContent, layout: RowLayout, caps: Caps, label: String, day: DayLine? = nil) {
    self.init(row: LaidOutRow(content: content, layout: layout), caps: caps, label: label, day: day)
  }

  /// Its height, including the day line.
  public var height: Int { row.layout.height + (day?.height ?? 0) }

  /// The row's ID, which is also its key in every list.
  public var rowID: UInt64 { row.content.rowID }
  /// The content of the row.
  public var content: RowContent { row.content }
  /// The layout of the row. Setting it creates another row.
  public var layout: RowLayout {
    get { row.layout }
    set { row = LaidOutRow(content: row.content, layout: newValue) }
  }
}

/// The place of a row in a conversation's tree.
public struct TreePlace: Hashable, Sendable {
  /// 0 for the ancestors and the post itself, 1 to 5 for replies; deeper replies are at 5.
  public var depth = 0
  /// Replies below it that are hidden because it is collapsed.
  public var collapsedReplies = 0

  public init() {}
}

/// The line above the first row of a day.
public struct DayLine: Hashable, Sendable {
  /// "Today", "Yesterday", "Friday", "Mar 3".
  public var label: String
  /// Height in addition to that of the row.
  public var height: Int

  public init(label: String, height: Int) {
    self.label = label
    self.height = height
  }
}
