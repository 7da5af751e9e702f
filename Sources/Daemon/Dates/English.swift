/// The words and patterns of English (CLDR's `en`).
enum English {
  static let weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]
  static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December",
  ]

  /// "1 day", "2 days".
  static func count(_ count: Int64, _ unit: StaticString) -> String { count == 1 ? "1 \(unit)" : "\(count) \(unit)s" }

  /// "Mar 3" or "Mar 3, 2024".
  static func date(_ date: CivilDate, withYear: Bool) -> String {
    let day = "\(months[date.month - 1].prefix(3)) \(date.day)"
    return withYear ? "\(day), \(date.year)" : day
  }

  /// "3/3/24"; a year's last two digits.
  static func shortDate(_ date: CivilDate) -> String {
    "\(date.month)/\(date.day)/\(padded(((date.year % 100) + 100) % 100))"
  }

  /// "2:05 PM" or "2:05:06 PM".
  static func time(_ time: CivilTime, withSeconds: Bool) -> String {
    let hour = (time.hour + 11) % 12 + 1
    let seconds = withSeconds ? ":\(padded(time.second))" : ""
    return "\(hour):\(padded(time.minute))\(seconds) \(time.hour < 12 ? "AM" : "PM")"
  }

  /// "Sunday, March 3, 2024 at 2:05:06 PM".
  static func longTime(_ time: CivilTime) -> String {
    let date = time.date
    return "\(weekdays[date.weekday]), \(months[date.month - 1]) \(date.day), \(date.year) at \(Self.time(time, withSeconds: true))"
  }

  /// Two digits.
  private static func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
