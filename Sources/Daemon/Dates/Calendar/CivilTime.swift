/// A day and the time on the wall clock, as an instant reads in a zone.
///
/// While clocks are set back one civil time stands for two instants, and while they are set forward some stand for
/// none.
public struct CivilTime: Hashable, Sendable {
  public var date: CivilDate
  /// Milliseconds since the clock showed midnight, 0 to 86,399,999.
  public var millisecondOfDay: Int

  /// A time of a day.
  public init(date: CivilDate, millisecondOfDay: Int) {
    self.date = date
    self.millisecondOfDay = millisecondOfDay
  }

  /// 0 to 23.
  public var hour: Int { millisecondOfDay / 3_600_000 }
  /// 0 to 59.
  public var minute: Int { millisecondOfDay / 60_000 % 60 }
  /// 0 to 59.
  public var second: Int { millisecondOfDay / 1000 % 60 }
}
