/// Instants in ISO 8601, always in UTC, so that output for programs does not depend on the time zone.
public enum ISOInstant {
  /// Formats an instant as "2024-03-03T12:34:56.789Z", without the fraction if it is zero. Years outside 0 to 9999 have
  /// a sign and at least six digits (ISO 8601, 4.1.2.4).
  public static func text(milliseconds: Int64) -> String {
    let (days, dayMilliseconds) = milliseconds.flooredDivision(by: 86_400_000)
    let date = CalendarDay(daysSinceEpoch: days)
    let (seconds, fraction) = dayMilliseconds.quotientAndRemainder(dividingBy: 1000)
    let year =
      0...9999 ~= date.year
      ? padded(date.year, 4) : (date.year < 0 ? "-" : "+") + padded(Int64(date.year.magnitude), 6)
    let clock = [seconds / 3600, seconds / 60 % 60, seconds % 60].map { padded($0, 2) }.joined(separator: ":")
    let tail = fraction == 0 ? "Z" : "." + padded(fraction, 3) + "Z"
    return "\(year)-\(padded(Int64(date.month), 2))-\(padded(Int64(date.day), 2))T\(clock)\(tail)"
  }

  /// Formats an instant for people, to the minute: "2024-03-03 12:34 UTC".
  public static func minute(milliseconds: Int64) -> String {
    let whole = text(milliseconds: milliseconds)
    guard let separator = whole.firstIndex(of: "T") else { return whole }
    return "\(whole[..<separator]) \(whole[separator...].dropFirst().prefix(5)) UTC"
  }

  private static func padded(_ number: Int64, _ digits: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
  }
}

/// A day of the proleptic Gregorian calendar.
struct CalendarDay: Equatable {
  var year: Int64
  /// 1 to 12.
  var month: Int
  /// 1 to 31.
  var day: Int

  /// Creates the day that is `days` after 1970-01-01. Howard Hinnant's `civil_from_days`: years begin in March, eras
  /// have 400 years.
  init(daysSinceEpoch days: Int64) {
    let (era, dayOfEra) = (days + 719_468).flooredDivision(by: 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    day = Int(dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
    month = Int(monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9)
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  /// Creates a day from its fields; nil if there is no such day.
  init?(year: Int64, month: Int, day: Int) {
    self.year = year
    self.month = month
    self.day = day
    guard 1...12 ~= month, 1...31 ~= day, CalendarDay(daysSinceEpoch: daysSinceEpoch) == self else { return nil }
  }

  /// Days since 1970-01-01; Hinnant's `days_from_civil`.
  var daysSinceEpoch: Int64 {
    let (era, yearOfEra) = (month <= 2 ? year - 1 : year).flooredDivision(by: 400)
    let monthFromMarch = Int64(month > 2 ? month - 3 : month + 9)
    let dayOfYear = (153 * monthFromMarch + 2) / 5 + Int64(day) - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  static func == (left: CalendarDay, right: CalendarDay) -> Bool {
    left.year == right.year && left.month == right.month && left.day == right.day
  }
}

extension Int64 {
  /// Returns quotient and remainder, the quotient rounded down so that the remainder is never negative.
  func flooredDivision(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}
