/// A date and a wall-clock time, as an instant reads in a zone.
///
/// When clocks go back, one civil time stands for two instants; when they go forward, some civil times stand for no
/// instant.
public struct CivilTime: Hashable, Sendable {
  public var date: CivilDate
  /// Milliseconds since midnight by the clock, 0 to 86,399,999.
  public var millisecondOfDay: Int

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
