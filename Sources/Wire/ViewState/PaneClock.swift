/// The elements drawn over a pane's rows: the scroll bar's thumb, the clock that slides along it, and the day that
/// floats at the top; the schema's ClockMoved. Lines count from the top of the viewport.
public struct PaneClock: Equatable, Sendable {
  /// The direction in which the hands turn to their new position; the numbers are the schema's.
  public enum Turn: UInt32, Sendable {
    case none = 0
    case clockwise = 1
    case anticlockwise = 2
  }

  /// First line of the thumb.
  public var thumbTop = 0
  /// 0 if everything is in view.
  public var thumbLength = 0
  /// True if the clock is visible.
  public var isVisible = false
  /// First line of the clock.
  public var top = 0
  /// Clockwise from 12 in half degrees, 0 to 719.
  public var hourHand = 0
  /// Clockwise from 12 in degrees, 0 to 354.
  public var minuteHand = 0
  public var turn = Turn.none
  /// The text beside its face.
  public var label = ""
  /// The day of the first row shown; empty without day lines.
  public var day = ""
  /// First line of the floating day, 0 or less.
  public var dayTop = 0

  public init() {}
}
