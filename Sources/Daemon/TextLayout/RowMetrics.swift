/// The numbers from which a pane's width gives the width of a post's text, and the text's lines give the height of its
/// row (docs/BEHAVIOUR.md, rules 18 and 20).
///
/// The code is the same for every unit: a terminal's cells, points or another unit of a client. Only the numbers
/// differ.
public struct RowMetrics: Hashable, Sendable {
  /// The space around the text in a row.
  public struct Insets: Hashable, Sendable {
    /// From the top of the row to the text, with the author's line; the line of a reposter is above it.
    public var above: Int
    /// From the end of the text to the end of the row.
    public var below: Int
    /// From the left edge of the column to the text: border, avatar and gap.
    public var left: Int
    /// From the text to the right edge of the column: margin or scroll bar, and border.
    public var right: Int
    /// The minimum height of a row, for the avatar to fit in; the line of a reposter is added to it.
    public var leastHeight: Int

    public init(above: Int, below: Int, left: Int, right: Int, leastHeight: Int) {
      self.above = above
      self.below = below
      self.left = left
      self.right = right
      self.leastHeight = leastHeight
    }
  }

  /// The height of a line of text.
  public var lineHeight: Int
  /// The height of the line with the reposter.
  public var repostHeight: Int
  /// The height of the line with a date.
  public var dayHeight: Int
  /// The height of the line below the text with counts and marks, in rows that have any; it is part of no inset.
  public var factsHeight: Int
  public var regular: Insets
  /// The insets of plain rows; see ``compactBelow``.
  public var compact: Insets
  /// Panes narrower than this have plain rows.
  public var compactBelow: Int
  /// The maximum width of the column of rows in a regular pane; it is centred in a wider pane.
  public var maximumColumn: Int
  /// The margin on each side of the column in a regular pane that fills the view.
  public var columnInset: Int

  /// Terminal cells. A regular pane has a border of one cell on each side, an avatar of 4 x 2, a gap and a scroll bar
  /// of one cell; a row has the author's line, the text, the line of facts if there are any, and the separator. A
  /// compact pane has neither border nor avatar.
  public static let cells = RowMetrics(
    lineHeight: 1, repostHeight: 1, dayHeight: 1, factsHeight: 1,
    regular: Insets(above: 1, below: 1, left: 6, right: 2, leastHeight: 3),
    compact: Insets(above: 1, below: 1, left: 0, right: 1, leastHeight: 0), compactBelow: 40, maximumColumn: 80,
    columnInset: 0)

  /// Points, as in the original programs: 12, the author's 18, 5, the text, 12; an avatar of 48 at (12, 12); the text
  /// is the column less 87. A compact pane, which the originals did not have, is narrower than the narrowest of theirs;
  /// its rows are as high.
  public static func points(lineHeight: Int) -> RowMetrics {
    let insets = Insets(above: 12 + 18 + 5, below: 12, left: 72, right: 15, leastHeight: 12 + 48 + 12)
    return RowMetrics(
      lineHeight: lineHeight, repostHeight: lineHeight, dayHeight: lineHeight, factsHeight: 0, regular: insets,
      compact: insets, compactBelow: 320, maximumColumn: 675, columnInset: 18)
  }

  public init(
    lineHeight: Int, repostHeight: Int, dayHeight: Int, factsHeight: Int, regular: Insets, compact: Insets,
    compactBelow: Int, maximumColumn: Int, columnInset: Int
  ) {
    self.lineHeight = lineHeight
    self.repostHeight = repostHeight
    self.dayHeight = dayHeight
    self.factsHeight = factsHeight
    self.regular = regular
    self.compact = compact
    self.compactBelow = compactBelow
    self.maximumColumn = maximumColumn
    self.columnInset = columnInset
  }

  /// Returns the space around the text.
  public func insets(isCompact: Bool) -> Insets { isCompact ? compact : regular }

  /// Returns the column of rows and texts in a pane.
  ///
  /// - Parameters:
  ///   - paneWidth: At least 1.
  ///   - isCompact: True for plain rows; nil decides by the width.
  ///   - fillsView: True if the pane is as wide as the view.
  public func column(paneWidth: Int, isCompact: Bool? = nil, fillsView: Bool = false) -> RowColumn {
    let isCompact = isCompact ?? (paneWidth < compactBelow)
    let room = isCompact ? paneWidth : min(maximumColumn, paneWidth - (fillsView ? 2 * columnInset : 0))
    let insets = insets(isCompact: isCompact)
    let width = max(1, room)
    let x = max(0, (paneWidth - width) / 2)
    return RowColumn(
      x: x, width: width, textX: x + insets.left, textWidth: max(1, width - insets.left - insets.right),
      isCompact: isCompact)
  }

  /// The maximum height of a row: even with the highest date line above it, the row fits into an index.
  static let maximumHeight = HeightsIndex.maximumHeight - 10_000

  /// Returns the height of a post's row with `lines` lines of text, at least 1, since wrapping gives an empty text one
  /// line.
  ///
  /// The height is at most ``maximumHeight``, which is a text of 10,000 lines in a font of 400 points.
  public func height(lines: Int, isRepost: Bool, hasFacts: Bool, isCompact: Bool) -> Int {
    let insets = insets(isCompact: isCompact)
    let text = lines * lineHeight + (hasFacts ? factsHeight : 0)
    let height = max(insets.leastHeight, insets.above + text + insets.below) + (isRepost ? repostHeight : 0)
    return min(height, Self.maximumHeight)
  }
}

/// The column of rows and texts in a pane, from the pane's left edge.
public struct RowColumn: Hashable, Sendable {
  /// The left edge of rows.
  public var x: Int
  /// The width of rows, at least 1.
  public var width: Int
  /// The left edge of texts.
  public var textX: Int
  /// The width to which texts are wrapped, at least 1.
  public var textWidth: Int
  /// True for plain rows: without corners, inset and everything else that the compact numbers omit.
  public var isCompact: Bool

  public init(x: Int, width: Int, textX: Int, textWidth: Int, isCompact: Bool) {
    self.x = x
    self.width = width
    self.textX = textX
    self.textWidth = textWidth
    self.isCompact = isCompact
  }
}
