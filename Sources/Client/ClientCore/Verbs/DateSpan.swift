/// A time as people write it: an instant, a day, a month or a year.
public struct DateSpan: Equatable, Sendable {
  /// The first millisecond, since 1970.
  public let start: Int64
  /// The millisecond after the last one; equal to ``start`` for an instant.
  public let end: Int64

  /// Examples of what is understood, for messages.
  public static let examples = "2015, 2015-11, 2015-11-03, 1 nov, yesterday, monday, 3d or 2h"

  private init(start: Int64, end: Int64) { (self.start, self.end) = (start, end) }

  /// An instant.
  private init(at instant: Int64) { self.init(start: instant, end: instant) }

  /// Reads one of these:
  ///
  /// - `90s`, `30m`, `2h`, `3d`, `1w`, and with `ago`: this long ago;
  /// - `2015`, `2015-11`, `2015-11-03`, and a day with a time, `T12:30` or ` 12:30:15`, local or with `Z` or an offset;
  /// - `now`, `today`, `yesterday`, a weekday (the last one, which may be today);
  /// - `1 nov`, `nov 1`, `nov 1 2015`, `november 2015`: English months of three letters or more. Without a year it is
  ///   the last one that has begun.
  ///
  /// - Parameters:
  ///   - now: milliseconds since 1970.
  ///   - localOffset: the seconds by which local time is ahead of UTC when a local clock shows the given seconds since
  ///     1970-01-01T00:00.
  /// - Returns: nil for any other text.
  public init?(_ text: String, now: Int64, localOffset: (Int64) -> Int64) {
    let words = text.lowercased().split { $0 == " " || $0 == "," }.map(String.init)
    if words == ["now"] {
      self.init(at: now)
    } else if let ago = Self.duration(words) {
      self.init(at: now - ago)
    } else if let instant = ISODate.instant(text, localOffset) {
      self.init(at: instant)
    } else if let days = Self.days(words, today: Self.today(now, localOffset)) {
      self.init(
        start: Self.instant(of: days.lowerBound, localOffset), end: Self.instant(of: days.upperBound, localOffset))
    } else {
      return nil
    }
  }

  private static func instant(of day: Int64, _ localOffset: (Int64) -> Int64) -> Int64 {
    (day * 86_400 - localOffset(day * 86_400)) * 1000
  }

  /// Returns the local day of an instant. The offset depends on local time, so it is looked up twice.
  private static func today(_ now: Int64, _ localOffset: (Int64) -> Int64) -> Int64 {
    let seconds = now.flooredDivision(by: 1000).quotient
    let guess = seconds + localOffset(seconds)
    return (seconds + localOffset(guess)).flooredDivision(by: 86_400).quotient
  }

  private static func duration(_ words: [String]) -> Int64? {
    let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800]
    guard words.count == 1 || words.count == 2 && words[1] == "ago", let word = words.first,
      let unit = word.last.flatMap({ units[$0] }),
      let number = Int64(word.dropLast()), 0...1_000_000 ~= number
    else { return nil }
    return number * unit * 1000
  }

  // MARK: Days

  /// Returns the days that words mean, counted since 1970; nil for other words.
  private static func days(_ words: [String], today: Int64) -> Range<Int64>? {
    switch words.count {
    case 1: return day(words[0], today) ?? iso(words[0]) ?? month(words[0]).flatMap { last(day: nil, of: $0, today) }
    case 2:
      if let month = month(words[0]) ?? month(words[1]) {
        let rest = self.month(words[0]) == nil ? words[0] : words[1]
        if let year = year(rest) { return span(year, month, nil) }
        return number(rest).flatMap { last(day: $0, of: month, today) }
      }
    case 3:
      guard let year = year(words[2]), let month = month(words[0]) ?? month(words[1]) else { return nil }
      return number(self.month(words[0]) == nil ? words[0] : words[1]).flatMap { span(year, month, $0) }
    default: break
    }
    return nil
  }

  private static func day(_ word: String, _ today: Int64) -> Range<Int64>? {
    if word == "today" { return today..<today + 1 }
    if word == "yesterday" { return today - 1..<today }
    // 1970-01-01 was a Thursday.
    let names = ["thursday", "friday", "saturday", "sunday", "monday", "tuesday", "wednesday"]
    guard word.count >= 3, let weekday = names.firstIndex(where: { $0.hasPrefix(word) }) else { return nil }
    let back = (today - Int64(weekday)).flooredDivision(by: 7).remainder
    return today - back..<today - back + 1
  }

  /// Reads `2015`, `2015-11` or `2015-11-03`.
  private static func iso(_ word: String) -> Range<Int64>? {
    let parts = word.split(separator: "-", omittingEmptySubsequences: false).map(String.init)
    guard let year = year(parts[0]), parts.dropFirst().allSatisfy({ $0.count == 2 }) else { return nil }
    switch parts.count {
    case 1: return span(year, nil, nil)
    case 2: return number(parts[1]).flatMap { span(year, $0, nil) }
    case 3:
      guard let month = number(parts[1]), let day = number(parts[2]) else { return nil }
      return span(year, month, day)
    default: return nil
    }
  }

  private static func month(_ word: String) -> Int? {
    let names = [
      "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
      "december",
    ]
    guard word.count >= 3 else { return nil }
    return (names.firstIndex { $0.hasPrefix(word) } ?? (word == "sept" ? 8 : nil)).map { $0 + 1 }
  }

  private static func year(_ word: String) -> Int64? { word.count == 4 ? number(word).map(Int64.init) : nil }

  private static func number(_ word: String) -> Int? {
    word.utf8.allSatisfy { 0x30...0x39 ~= $0 } ? Int(word) : nil
  }

  /// Returns the last day or month of this name that has begun; nil if no year of the last eight has it.
  private static func last(day: Int?, of month: Int, _ today: Int64) -> Range<Int64>? {
    let year = CalendarDay(daysSinceEpoch: today).year
    return (0...8).lazy.compactMap { span(year - $0, month, day) }.first { $0.lowerBound <= today }
  }

  /// Returns the days of a year, of a month, or a single one; nil if there is no such day.
  private static func span(_ year: Int64, _ month: Int?, _ day: Int?) -> Range<Int64>? {
    guard let first = CalendarDay(year: year, month: month ?? 1, day: day ?? 1)?.daysSinceEpoch else { return nil }
    if day != nil { return first..<first + 1 }
    let next = month.map { $0 == 12 ? (year + 1, 1) : (year, $0 + 1) } ?? (year + 1, 1)
    return CalendarDay(year: next.0, month: next.1, day: 1).map { first..<$0.daysSinceEpoch }
  }
}
