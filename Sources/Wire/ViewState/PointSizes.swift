/// The sizes declared by a client with a proportional font, in points; the numbers of the schema's PointMetrics.
///
/// Optional values that are nil or 0 are left to the daemon, which then uses the numbers of the original interface.
public struct PointSizes: Hashable, Sendable {
  /// The space around a post's text in its row; the schema's RowInsets.
  public struct RowInsets: Hashable, Sendable {
    public var above: Int
    public var below: Int
    public var left: Int
    public var right: Int
    public var leastHeight: Int

    public init(above: Int, below: Int, left: Int, right: Int, leastHeight: Int) {
      self.above = above
      self.below = below
      self.left = left
      self.right = right
      self.leastHeight = leastHeight
    }
  }
  /// The column that contains the rows; the schema's ColumnSizes.
  public struct Column: Hashable, Sendable {
    public var maximumWidth: Int
    public var inset: Int
    public var compactBelow: Int

    public init(maximumWidth: Int, inset: Int, compactBelow: Int) {
      self.maximumWidth = maximumWidth
      self.inset = inset
      self.compactBelow = compactBelow
    }
  }
  /// The positions of panes; the schema's PaneSizes.
  public struct Panes: Hashable, Sendable {
    /// Width of the navigation pane.
    public var menu: Int
    /// Width of its strip, while panes cover the rest of it.
    public var strip: Int
    /// Preferred width of a pane.
    public var pane: Int

    public init(menu: Int, strip: Int, pane: Int) {
      self.menu = menu
      self.strip = strip
      self.pane = pane
    }
  }

  /// Height of a line of text.
  public var lineHeight: Int
  /// Advance of a character that is in no run, in 1/64 points; 0 for half of the line height.
  public var defaultAdvance = 0
  /// The same for an East Asian wide character, such as an ideograph or an emoji; 0 for twice `defaultAdvance`.
  public var wideAdvance = 0
  /// Height of the "reposted by" line; 0 for the line height.
  public var repostHeight = 0
  /// Height of a day line; 0 for the line height.
  public var dayHeight = 0
  public var regular: RowInsets?
  /// Insets of compact rows; nil for those of `regular`.
  public var compact: RowInsets?
  public var column: Column?
  public var panes: Panes?

  /// Sizes that leave everything else to the daemon.
  public init(lineHeight: Int) { self.lineHeight = lineHeight }

  /// Valid line heights.
  public static let lineHeights = 1...1000
  /// Valid values of any other size.
  public static let sizes = 0...10_000
  /// The largest advance: 1023 63/64 points.
  public static let maximumAdvance = 65_535

  /// Every number with its name in the schema and its valid range.
  var named: [(field: String, value: Int, range: ClosedRange<Int>)] {
    var named: [(field: String, value: Int, range: ClosedRange<Int>)] = [
      ("line_height", lineHeight, Self.lineHeights), ("default_advance", defaultAdvance, 0...Self.maximumAdvance),
      ("wide_advance", wideAdvance, 0...Self.maximumAdvance), ("repost_height", repostHeight, Self.sizes),
      ("day_height", dayHeight, Self.sizes),
    ]
    for (name, insets) in [("regular", regular), ("compact", compact)] {
      guard let insets else { continue }
      named += [
        ("\(name).above", insets.above, Self.sizes), ("\(name).below", insets.below, Self.sizes),
        ("\(name).left", insets.left, Self.sizes), ("\(name).right", insets.right, Self.sizes),
        ("\(name).least_height", insets.leastHeight, Self.sizes),
      ]
    }
    if let column {
      named += [
        ("column.maximum_width", column.maximumWidth, 1...Self.sizes.upperBound),
        ("column.inset", column.inset, Self.sizes),
        ("column.compact_below", column.compactBelow, Self.sizes),
      ]
    }
    if let panes {
      named += [
        ("panes.menu", panes.menu, Self.sizes), ("panes.strip", panes.strip, Self.sizes),
        ("panes.pane", panes.pane, 1...Self.sizes.upperBound),
      ]
    }
    return named
  }
}
