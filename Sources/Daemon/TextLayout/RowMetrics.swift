/// The numbers that make a pane's width the width of a post's text, and lines of text the height of its row
/// (behaviour.md, rules 18 and 20).
///
/// There is one code for every unit: a terminal's cells, points, or what else a client counts in. What differs is in
/// the numbers.
public struct RowMetrics: Hashable, Sendable {
  /// What surrounds the text in a row.
  public struct Insets: Hashable, Sendable {
    /// From the row's top to the text's: the author's line, and what is above it. Whoever reposted is yet above that.
    public var above: Int
    /// From the text's end to the row's.
    public var below: Int
    /// From the column's left edge to the text's: the border, the avatar and the gap.
    public var left: Int
    /// From the text's right edge to the column's: a margin or the scroll bar, and the border.
    public var right: Int
    /// What a row has at least, because the avatar has to fit in; who reposted comes on top of it.
    public var leastHeight: Int

    /// Puts the numbers together.
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
  /// The height of the line that says who reposted.
  public var repostHeight: Int
  /// The height of the line that tells a day.
  public var dayHeight: Int
  public var regular: Insets
  /// Those of plain rows: see ``compactBelow``.
  public var compact: Insets
  /// Panes narrower than this have plain rows.
  public var compactBelow: Int
  /// The widest column of rows that a regular pane has; it is centred in a wider one.
  public var maximumColumn: Int
  /// What a regular pane that fills the view leaves free at each side of the column.
  public var columnInset: Int

  /// Terminal cells. A regular pane has a border of one cell each side, an avatar of 4 x 2, a gap and a scroll bar of
  /// one cell; a row is the author's line, the text, the line of counts and the separator. A compact one has neither
  /// border nor avatar.
  public static let cells = RowMetrics(
    lineHeight: 1, repostHeight: 1, dayHeight: 1,
    regular: Insets(above: 1, below: 2, left: 6, right: 2, leastHeight: 3),
    compact: Insets(above: 1, below: 2, left: 0, right: 1, leastHeight: 0), compactBelow: 40, maximumColumn: 80,
    columnInset: 0)

  /// Points, as the originals had them: 12, the author's 18, 5, the text, 12; an avatar of 48 at (12, 12); text at the
  /// column less 87. A compact pane, which they had none of, is one narrower than the narrowest of theirs; its rows are
  /// as high.
  public static func points(lineHeight: Int) -> RowMetrics {
    let insets = Insets(above: 12 + 18 + 5, below: 12, left: 72, right: 15, leastHeight: 12 + 48 + 12)
    return RowMetrics(
      lineHeight: lineHeight, repostHeight: lineHeight, dayHeight: lineHeight, regular: insets, compact: insets,
      compactBelow: 320, maximumColumn: 675, columnInset: 18)
  }

  /// Puts the numbers together.
  public init(
    lineHeight: Int, repostHeight: Int, dayHeight: Int, regular: Insets, compact: Insets, compactBelow: Int,
    maximumColumn: Int, columnInset: Int
  ) {
    self.lineHeight = lineHeight
    self.repostHeight = repostHeight
    self.dayHeight = dayHeight
    self.regular = regular
    self.compact = compact
    self.compactBelow = compactBelow
    self.maximumColumn = maximumColumn
    self.columnInset = columnInset
  }

  /// What surrounds the text.
  public func insets(isCompact: Bool) -> Insets { isCompact ? compact : regular }

  /// Where rows and their texts stand in a pane.
  ///
  /// - Parameters:
  ///   - paneWidth: At least 1.
  ///   - isCompact: Whether rows are plain; nil: as the width has it.
  ///   - fillsView: The pane is as wide as the view.
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

  /// No row is higher, so that with the highest line of a day above it an index still holds it.
  static let maximumHeight = HeightsIndex.maximumHeight - 10_000

  /// The height of a post's row with so many lines of text, at least 1: wrapping gives an empty text one line.
  ///
  /// No row is higher than ``maximumHeight``; that is a text of 10,000 lines in a font of 400 points.
  public func height(lines: Int, isRepost: Bool, isCompact: Bool) -> Int {
    let insets = insets(isCompact: isCompact)
    let height =
      max(insets.leastHeight, insets.above + lines * lineHeight + insets.below) + (isRepost ? repostHeight : 0)
    return min(height, Self.maximumHeight)
  }
}

/// Where rows and their texts stand in a pane, from its left edge.
public struct RowColumn: Hashable, Sendable {
  /// The left edge of rows.
  public var x: Int
  /// Their width, at least 1.
  public var width: Int
  /// The left edge of texts.
  public var textX: Int
  /// The width that texts are wrapped to, at least 1.
  public var textWidth: Int
  /// Rows are plain: without corners, inset and whatever else the numbers leave out.
  public var isCompact: Bool

  /// Puts the numbers together.
  public init(x: Int, width: Int, textX: Int, textWidth: Int, isCompact: Bool) {
    self.x = x
    self.width = width
    self.textX = textX
    self.textWidth = textWidth
    self.isCompact = isCompact
  }
}
