/// The rule for all future transitions of a zone, from a POSIX `TZ` string such as `CET-1CEST,M3.5.0,M10.5.0/3`.
///
/// Supports the extensions of RFC 9636 section 3.3.1: names in angle brackets and times of day from -167 to 167 hours.
struct PosixRule: Hashable, Sendable {
  /// A day of every year.
  enum Day: Hashable, Sendable {
    /// `Jn`, 1 to 365: 29 February is never counted.
    case withoutLeapDay(Int)
    /// `n`, 0 to 365: 29 February is counted.
    case ofYear(Int)
    /// `Mm.w.d`: the *w*th weekday *d* of month *m*; week 5 is the last.
    case weekday(month: Int, week: Int, weekday: Int)
  }

  /// The day and the clock time, in seconds from midnight, at which the other offset begins.
  struct Change: Hashable, Sendable {
    var day: Day
    var second: Int
  }

  /// Seconds east of UTC in standard time.
  var standardOffset: Int
  /// Daylight-saving time, if the zone has it.
  var daylight: Daylight?

  /// The offset and dates of daylight-saving time.
  struct Daylight: Hashable, Sendable {
    /// Seconds east of UTC.
    var offset: Int
    /// By the clock in standard time.
    var start: Change
    /// By the clock in daylight-saving time.
    var end: Change
  }

  /// Returns the offset in force at `second` since the epoch.
  func offset(at second: Int64) -> Int {
    var latest = Int64.min
    var offset = standardOffset
    forEachChange(around: second) { change, isStart, next in
      guard change <= second, change > latest || change == latest && isStart else { return }
      latest = change
      offset = next
    }
    return offset
  }

  /// Returns the first second after `second` at which the offset changes; `nil` if it does not within the next year.
  func nextTransition(after second: Int64) -> Int64? {
    let offset = offset(at: second)
    var earliest: Int64?
    forEachChange(around: second) { change, _, _ in
      if change > second, change < earliest ?? .max, self.offset(at: change) != offset { earliest = change }
    }
    return earliest
  }

  /// Calls `body` for each change in the year of `second` and the years before and after.
  ///
  /// Of two simultaneous changes the one to daylight-saving time counts: daylight-saving time that ends as the next
  /// begins never ends.
  private func forEachChange(around second: Int64, _ body: (_ change: Int64, _ isStart: Bool, _ offset: Int) -> Void) {
    guard let daylight else { return }
    let days = second >= 0 ? second / 86_400 : (second + 1) / 86_400 - 1
    let year = CivilDate(daysSinceEpoch: Int(days)).year
    for year in year - 1...year + 1 {
      body(instant(of: daylight.start, year: year) - Int64(standardOffset), true, daylight.offset)
      body(instant(of: daylight.end, year: year) - Int64(daylight.offset), false, standardOffset)
    }
  }

  /// Returns the seconds since the epoch of a change in `year`, as if its clock showed UTC.
  private func instant(of change: Change, year: Int) -> Int64 {
    let newYear = GregorianCalendar.firstDay(ofMonth: 1, of: year)
    let days: Int
    switch change.day {
    case .withoutLeapDay(let number):
      days = newYear + number - 1 + (number >= 60 && GregorianCalendar.isLeap(year) ? 1 : 0)
    case .ofYear(let number): days = newYear + number
    case .weekday(let month, let week, let weekday):
      let first = CivilDate(daysSinceEpoch: GregorianCalendar.firstDay(ofMonth: month, of: year))
      var day = 1 + (weekday - first.weekday + 7) % 7 + (week - 1) * 7
      if day > GregorianCalendar.daysInMonth(month, of: year) { day -= 7 }
      days = first.daysSinceEpoch + day - 1
    }
    return Int64(days) * 86_400 + Int64(change.second)
  }
}

extension PosixRule {
  /// Reads a `TZ` string; `nil` if it is malformed or does not give the dates of daylight-saving time.
  init?(_ text: ArraySlice<UInt8>) {
    var reader = Reader(rest: text)
    guard reader.skipName(), let standard = reader.time(hours: 24) else { return nil }
    standardOffset = -standard
    guard !reader.rest.isEmpty else { return }
    guard reader.skipName() else { return nil }
    var offset = standardOffset + 3600
    if let next = reader.rest.first, next != UInt8(ascii: ",") {
      guard let given = reader.time(hours: 24) else { return nil }
      offset = -given
    }
    guard let start = reader.change(), let end = reader.change(), reader.rest.isEmpty else { return nil }
    daylight = Daylight(offset: offset, start: start, end: end)
  }

  /// The unread rest of a `TZ` string.
  private struct Reader {
    var rest: ArraySlice<UInt8>

    mutating func skip(_ character: Unicode.Scalar) -> Bool {
      guard rest.first == UInt8(ascii: character) else { return false }
      rest.removeFirst()
      return true
    }

    /// Skips three letters or more, or anything in angle brackets.
    mutating func skipName() -> Bool {
      if skip("<") {
        guard let end = rest.firstIndex(of: UInt8(ascii: ">")) else { return false }
        rest = rest[(end + 1)...]
        return true
      }
      let letters = rest.prefix { $0 | 0x20 >= UInt8(ascii: "a") && $0 | 0x20 <= UInt8(ascii: "z") }
      rest = rest[letters.endIndex...]
      return letters.count >= 3
    }

    /// Reads decimal digits whose value is in `range`.
    mutating func number(_ range: ClosedRange<Int>) -> Int? {
      let digits = rest.prefix { $0 >= 0x30 && $0 <= 0x39 }
      guard (1...3).contains(digits.count) else { return nil }
      rest = rest[digits.endIndex...]
      let value = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
      return range.contains(value) ? value : nil
    }

    /// Reads `[+-]h[:mm[:ss]]` as seconds.
    mutating func time(hours: Int) -> Int? {
      let negative = skip("-")
      if !negative { _ = skip("+") }
      guard var seconds = number(0...hours).map({ $0 * 3600 }) else { return nil }
      for unit in [60, 1] where skip(":") {
        guard let part = number(0...59) else { return nil }
        seconds += part * unit
      }
      return negative ? -seconds : seconds
    }

    /// Reads `,day[/time]`; the time defaults to 02:00.
    mutating func change() -> Change? {
      guard skip(","), let day = day() else { return nil }
      guard skip("/") else { return Change(day: day, second: 7200) }
      return time(hours: 167).map { Change(day: day, second: $0) }
    }

    private mutating func day() -> Day? {
      if skip("J") { return number(1...365).map { .withoutLeapDay($0) } }
      guard skip("M") else { return number(0...365).map { .ofYear($0) } }
      guard let month = number(1...12), skip("."), let week = number(1...5), skip("."), let weekday = number(0...6)
      else { return nil }
      return .weekday(month: month, week: week, weekday: weekday)
    }
  }
}
