public import ViewState

/// What moves on its own for a moment: panes that slide to where they lie, and the hands of clocks.
///
/// Never longer than ``duration``; what is shown at its end is what would be shown without it. It is told the time and reads no clock.
public struct Animation: Equatable, Sendable {
  /// How long anything moves, in milliseconds.
  public static let duration: Int64 = 160
  /// How often a picture of it is worth making, in milliseconds.
  public static let interval: Int64 = 16

  /// What moves where a view goes from `old` to `new` at `now`; nil for nothing. What `continuing` has not brought to its end goes on from
  /// where it is.
  public init?(from old: ViewSnapshot, to new: ViewSnapshot, columns: Int, at now: Int64, continuing: Animation? = nil) {
    return nil
  }

  /// Nothing moves any more.
  public func isOver(at now: Int64) -> Bool { true }

  /// Where a pane lies at `now`, as it slides to `frame`.
  public func x(of frame: PaneFrame, at now: Int64) -> Int { frame.x }

  /// Where the hands of a pane's clock point at `now`: the hour hand in half degrees (0 to 719), the minute hand in degrees (0 to 359).
  public func hands(of paneID: UInt64, _ clock: PaneClock, at now: Int64) -> (hour: Int, minute: Int) {
    (clock.hourHand, clock.minuteHand)
  }
}
