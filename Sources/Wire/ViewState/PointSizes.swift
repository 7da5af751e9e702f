/// The sizes that a client of a proportional font declares, in points; the numbers of the schema's PointMetrics.
///
/// What is nil or 0 where that is allowed is left to the daemon, which then takes the numbers of the original
/// interface.
public struct PointSizes: Hashable, Sendable {
  /// What surrounds a post's text in its row; the schema's RowInsets.
  public struct RowInsets: Hashable, Sendable {
    public var above: Int
    public var below: Int
    public var left: Int
    public var right: Int
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
  /// The column that rows stand in; the schema's ColumnSizes.
  public struct Column: Hashable, Sendable {
    public var maximumWidth: Int
    public var inset: Int
    public var compactBelow: Int

    /// Puts the numbers together.
    public init(maximumWidth: Int, inset: Int, compactBelow: Int) {
      self.maximumWidth = maximumWidth
      self.inset = inset
      self.compactBelow = compactBelow
    }
  }
  /// Where panes lie; the schema's PaneSizes.
  public struct Panes: Hashable, Sendable {
    /// Width of the navigation pane.
    public var menu: Int
    /// Width of its strip, when panes cover the rest of it.
    public var strip: Int
    /// Width a pane wants.
    public var pane: Int

    /// Puts the numbers together.
    public init(menu: Int, strip: Int, pane: Int) {
      self.menu = menu
      self.strip = strip
      self.pane = pane
    }
  }

  /// Height of a line of text.
  public var lineHeight: Int
  /// Advance of a character that no run names, in 1/64 points; 0 for half of the line height.
  public var defaultAdvance = 0
  /// The same of an East Asian wide one, such as an ideograph or an emoji; 0 for twice `defaultAdvance`.
  public var wideAdvance = 0
  /// Height of the line that says who reposted; 0 for the line height.
  public var repostHeight = 0
  /// Height of the line that tells a day; 0 for the line height.
  public var dayHeight = 0
  public var regular: RowInsets?
  /// Those of plain rows; nil for those of `regular`.
  public var compact: RowInsets?
  public var column: Column?
  public var panes: Panes?

  /// Sizes that leave everything else to the daemon.
  public init(lineHeight: Int) { self.lineHeight = lineHeight }

  /// Lines may be so high.
  public static let lineHeights = 1...1000
  /// Any other size may be so large.
  public static let sizes = 0...10_000
  /// Advances may be so large: 1023 63/64 points.
  public static let maximumAdvance = 65_535

  /// Every number by its name in the schema, with what it may be.
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
