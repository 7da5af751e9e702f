/// The parameters of a view's layout and labels; the schema's Layout.
public struct LayoutParameters: Hashable, Sendable {
  /// The width of a cluster of several code points.
  public enum WidthProfile: UInt32, Sendable {
    case sum = 1
    case cluster = 2
    case clusterText = 3
  }
  /// The style of relative times.
  public enum TimeStyle: UInt32, Sendable {
    case words = 1
    case veryShort = 2
    case short = 3
    case long = 4
    case withinDay = 5
  }
  /// Cells or points, 1 to 10,000.
  public var width: Int
  /// Cells or points, 1 to 10,000.
  public var height: Int
  /// The metrics of a proportional font, with which all sizes are in points; nil for terminal cells.
  public var points: PointMetrics?
  public var widthProfile = WidthProfile.sum
  /// 1 or 2.
  public var ambiguousWidth = 1
  /// True for line mode: one compact pane.
  public var isSinglePane = false
  /// IANA name; empty for UTC.
  public var timeZone = ""
  public var timeStyle = TimeStyle.veryShort
  /// BCP 47; empty for English.
  public var locale = ""
  /// Height of the sliding clock, up to 1,000; 0 without clock and thumb.
  public var clockSize = 0
  /// True if a line above the first row of each day names it.
  public var hasDayLines = false
  /// True if long texts are not folded, and all empty lines are kept.
  public var showsWholeTexts = false

  /// True if more than rows is drawn: a clock, a thumb, day lines.
  public var hasOverlays: Bool { clockSize > 0 || hasDayLines }

  /// A layout in cells, with everything else at its default.
  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }
}

/// The part of a pane that a view shows; the schema's Viewport.
public struct ViewportParameters: Equatable, Sendable {
  /// 0 for the topmost.
  public var paneID: UInt64 = 0
  /// 0 for the newest row.
  public var anchorRow: UInt64 = 0
  /// The line of the anchor row that is shown first.
  public var line = 0
  /// Ascending; echoed in frames.
  public var generation: UInt32 = 0
  /// A time to jump to instead of a row; 0 for none.
  public var atMilliseconds: Int64 = 0

  /// The top of the topmost pane.
  public init() {}
}
