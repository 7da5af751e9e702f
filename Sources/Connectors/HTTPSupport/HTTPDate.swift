public import Dates

/// The dates of HTTP (RFC 9110, section 5.6.7): the one that is sent today, and the two old ones that must be read.
public enum HTTPDate {
  /// Reads a date; nil for anything else. Two-digit years more than 50 years ahead of `now` are in the past century.
  public static func parse(_ text: String, now: Instant) -> Instant? {
    let parts = text.split { $0 == " " || $0 == "," || $0 == "-" }.map(String.init)
    // IMF-fixdate: Sun 06 Nov 1994 08:49:37 GMT. RFC 850: Sunday 06 Nov 94 08:49:37 GMT.
    if parts.count == 6, parts[5] == "GMT" || parts[5] == "UTC", let day = number(parts[1], digits: 1...2),
      let month = month(parts[2]), let year = number(parts[3], digits: 2...4)
    {
      return instant(year: parts[3].count == 2 ? century(year, now: now) : year, month: month, day: day, parts[4])
    }
    // asctime: Sun Nov  6 08:49:37 1994.
    if parts.count == 5, let month = month(parts[1]), let day = number(parts[2], digits: 1...2),
      let year = number(parts[4], digits: 4...4)
    {
      return instant(year: year, month: month, day: day, parts[3])
    }
    return nil
  }

  private static let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]

  /// Returns the number of the month whose English name begins with these three letters, in any case; nil for none.
  public static func month(_ name: some StringProtocol) -> Int? {
    months.firstIndex(of: name.lowercased()).map { $0 + 1 }
  }

  private static func number(_ text: String, digits: ClosedRange<Int>) -> Int? {
    digits.contains(text.utf8.count) && text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) ? Int(text) : nil
  }

  private static func century(_ year: Int, now: Instant) -> Int {
    let current = CivilDate(daysSinceEpoch: Int(now.seconds / 86_400)).year
    let year = current / 100 * 100 + year
    return year > current + 50 ? year - 100 : year
  }

  private static func instant(year: Int, month: Int, day: Int, _ time: String) -> Instant? {
    let fields = time.split(separator: ":").map { number(String($0), digits: 2...2) }
    guard fields.count == 3, let hour = fields[0], let minute = fields[1], let second = fields[2], hour < 24,
      minute < 60,
      second <= 60, let date = CivilDate(year: year, month: month, day: day)
    else { return nil }
    return Instant(seconds: Int64(date.daysSinceEpoch) * 86_400 + Int64(hour * 3600 + minute * 60 + second))
  }
}
