/// A day of the proleptic Gregorian calendar. It is not an instant: it starts and ends at different instants in
/// different zones.
public struct CivilDate: Hashable, Comparable, Sendable {
  /// Days since 1970-01-01; negative before it.
  public let daysSinceEpoch: Int
  /// Astronomical year: 0 is 1 BC.
  public let year: Int
  /// 1 to 12.
  public let month: Int
  /// 1 to 31.
  public let day: Int

  /// Creates the date with these fields; `nil` if it does not exist, such as 30 February.
  public init?(year: Int, month: Int, day: Int) {
    guard let days = GregorianCalendar.days(year: year, month: month, day: day) else { return nil }
    self.daysSinceEpoch = days
    self.year = year
    self.month = month
    self.day = day
  }

  /// Creates the date `daysSinceEpoch` days after 1970-01-01.
  public init(daysSinceEpoch: Int) {
    (year, month, day) = GregorianCalendar.civil(days: daysSinceEpoch)
    self.daysSinceEpoch = daysSinceEpoch
  }

  /// 0 for Sunday to 6 for Saturday.
  public var weekday: Int { ((daysSinceEpoch + 4) % 7 + 7) % 7 }

  public static func < (left: CivilDate, right: CivilDate) -> Bool { left.daysSinceEpoch < right.daysSinceEpoch }

  /// Returns the date `days` later (earlier when negative).
  public func adding(days: Int) -> CivilDate { CivilDate(daysSinceEpoch: daysSinceEpoch + days) }
}
