/// All that decides how rows are laid out and labelled for a view; the schema's Layout.
public struct LayoutParameters: Hashable, Sendable {
  /// How wide a cluster of several code points is.
  public enum WidthProfile: UInt32, Sendable {
    case sum = 1
    case cluster = 2
  }
  /// How times are put into words.
  public enum TimeStyle: UInt32, Sendable {
    case words = 1
    case veryShort = 2
    case short = 3
    case long = 4
  }
  /// Cells or points, 1 to 10,000.
  public var width: Int
  /// Cells or points, 1 to 10,000.
  public var height: Int
  /// How a proportional font is measured, with which all sizes are in points; nil for the cells of a terminal.
  public var points: PointMetrics?
  public var widthProfile = WidthProfile.sum
  /// 1 or 2.
  public var ambiguousWidth = 1
  /// Line mode: one compact pane.
  public var isSinglePane = false
  /// IANA name; empty for UTC.
  public var timeZone = ""
  public var timeStyle = TimeStyle.veryShort
  /// BCP 47; empty for English.
  public var locale = ""

  /// Cells, everything else by default.
  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }
}

/// Which part of a pane a view shows; the schema's Viewport.
public struct ViewportParameters: Equatable, Sendable {
  /// 0 for the topmost.
  public var paneID: UInt64 = 0
  /// 0 for the newest row.
  public var anchorRow: UInt64 = 0
  /// Line of the anchor row that is the first shown.
  public var line = 0
  /// Ascending; echoed in frames.
  public var generation: UInt32 = 0

  /// The top of the topmost pane.
  public init() {}
}
