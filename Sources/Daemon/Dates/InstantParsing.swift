/// Instants read from the fixed formats in which sources write them, and written in the one format that every reader
/// knows.
///
/// Each parser reads fields by their position, checks every byte it passes and every field's range, and honours the
/// offset (behaviour.md rule 25). `nil` means that the text is not that format; nothing is guessed. A leap second
/// (`:60`) is the first second of the next minute, as in POSIX time. None allocates; O(length).
extension Instant {
  /// Reads Twitter's `created_at`, `Wed Oct 10 20:19:24 +0000 2018`: always 30 bytes, English names.
  ///
  /// The weekday has to be the name of one but need not be the date's, since it says nothing that the date does not.
  public init?(twitter text: Span<UInt8>) {
    guard text.count == 30, Fields.isWeekday(text, at: 0),
      Fields.match(text, at: 3, 0x20), Fields.match(text, at: 7, 0x20), Fields.match(text, at: 10, 0x20),
      Fields.match(text, at: 19, 0x20), Fields.match(text, at: 25, 0x20),
      let month = Fields.month(text, at: 4), let day = Fields.number(text, at: 8, digits: 2),
      let time = Fields.clock(text, at: 11), Fields.match(text, at: 16, 0x3A),
      let second = Fields.second(text, at: 17),
      let offset = Fields.offset(text, at: 20), offset.end == 25,
      let year = Fields.number(text, at: 26, digits: 4),
      let days = GregorianCalendar.days(year: year, month: month, day: day)
    else { return nil }
    self.init(seconds: Int64(days) * 86_400 + Int64(time + second - offset.seconds))
  }

  /// Reads Twitter's `created_at` from an array; see the initializer for spans.
  public init?(twitter text: [UInt8]) { self.init(twitter: text.span) }

  /// Reads ISO 8601 in the profile of RFC 3339: `2018-10-10T20:19:24Z`, `2018-10-10 20:19:24.123+02:00`.
  ///
  /// `T` may be `t` or a space and `Z` may be `z`; seconds may be missing, with them a fraction of any length, of which
  /// milliseconds are kept (not rounded, so that an instant is never later than written). An offset is `+02:00`,
  /// `+0200` or `+02` and may follow a space, as in the first Twitter archives. It must be there: a civil time without
  /// one is no instant. Covers Mastodon (milliseconds), ActivityPub archives (none), property lists, JSON Feed and
  /// Atom.
  public init?(iso8601 text: Span<UInt8>) {
    guard text.count >= 17, let days = Fields.date(text, at: 0),
      Fields.match(text, at: 10, 0x54) || Fields.match(text, at: 10, 0x74) || Fields.match(text, at: 10, 0x20),
      let time = Fields.timeOfDay(text, at: 11)
    else { return nil }
    let zone = Fields.match(text, at: time.end, 0x20) ? time.end + 1 : time.end
    guard let offset = Fields.offset(text, at: zone), offset.end == text.count else { return nil }
    let milliseconds = time.milliseconds - Int64(offset.seconds) * 1000
    self.init(milliseconds: Int64(days) * 86_400_000 + milliseconds)
  }

  /// Reads ISO 8601 from an array; see the initializer for spans.
  public init?(iso8601 text: [UInt8]) { self.init(iso8601: text.span) }

  /// Appends the instant in UTC as ISO 8601, with milliseconds if there are any: `2018-10-10T20:19:24Z`, `….123Z`.
  ///
  /// What ``init(iso8601:)-(Span<UInt8>)`` reads back unchanged for the years 0 to 9999; others are written with a sign
  /// and at least six digits (ISO 8601 4.1.2.4).
  public func appendISO8601(to text: inout [UInt8]) {
    let second = seconds
    let day = second >= 0 ? second / 86_400 : (second - 86_399) / 86_400
    let date = GregorianCalendar.civil(days: Int(day))
    let time = Int(second - day * 86_400)
    if (0...9999).contains(date.year) {
      Fields.append(date.year, digits: 4, to: &text)
    } else {
      text.append(date.year < 0 ? 0x2D : 0x2B)
      Fields.append(abs(date.year), digits: 6, to: &text)
    }
    text.append(0x2D)
    Fields.append(date.month, digits: 2, to: &text)
    text.append(0x2D)
    Fields.append(date.day, digits: 2, to: &text)
    text.append(0x54)
    Fields.append(time / 3600, digits: 2, to: &text)
    text.append(0x3A)
    Fields.append(time / 60 % 60, digits: 2, to: &text)
    text.append(0x3A)
    Fields.append(time % 60, digits: 2, to: &text)
    let fraction = Int(milliseconds % 1000 + 1000) % 1000
    if fraction != 0 {
      text.append(0x2E)
      Fields.append(fraction, digits: 3, to: &text)
    }
    text.append(0x5A)
  }

  /// The instant in UTC as ISO 8601; see ``appendISO8601(to:)``.
  public var iso8601: String {
    var text: [UInt8] = []
    text.reserveCapacity(24)
    appendISO8601(to: &text)
    return String(decoding: text, as: UTF8.self)
  }
}

/// The proleptic Gregorian calendar as arithmetic on days since 1970-01-01.
///
/// A year is taken to begin on 1 March, so that the leap day is its last, and 400 years are always 146,097 days.
enum GregorianCalendar {
  /// Days since 1970-01-01 of a date that exists, `nil` for one that does not (30 February, month 13).
  static func days(year: Int, month: Int, day: Int) -> Int? {
    guard month >= 1, month <= 12, day >= 1, day <= daysInMonth(month, of: year) else { return nil }
    let shifted = month > 2 ? year : year - 1
    let era = (shifted >= 0 ? shifted : shifted - 399) / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  /// The date of a day; the inverse of ``days(year:month:day:)``.
  static func civil(days: Int) -> (year: Int, month: Int, day: Int) {
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    return (year, month, dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
  }

  /// Whether 29 February exists in `year`.
  static func isLeap(_ year: Int) -> Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }

  /// The number of days of a month from 1 to 12.
  static func daysInMonth(_ month: Int, of year: Int) -> Int {
    switch month {
    case 2: isLeap(year) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}

/// The fields that the formats above are made of. A position past the end is a field that is not there.
enum Fields {
  /// Whether the byte at `position` is `byte`.
  static func match(_ text: Span<UInt8>, at position: Int, _ byte: UInt8) -> Bool {
    position < text.count && text[position] == byte
  }

  /// A number of exactly `digits` decimal digits, without a sign.
  static func number(_ text: Span<UInt8>, at position: Int, digits: Int) -> Int? {
    guard position + digits <= text.count else { return nil }
    var value = 0
    for index in position..<position + digits {
      let digit = text[index] &- 0x30
      guard digit <= 9 else { return nil }
      value = value * 10 + Int(digit)
    }
    return value
  }

  /// `HH:MM` as seconds of the day.
  static func clock(_ text: Span<UInt8>, at position: Int) -> Int? {
    guard let hour = number(text, at: position, digits: 2), hour < 24, match(text, at: position + 2, 0x3A),
      let minute = number(text, at: position + 3, digits: 2), minute < 60
    else { return nil }
    return hour * 3600 + minute * 60
  }

  /// `SS`, 0 to 60.
  static func second(_ text: Span<UInt8>, at position: Int) -> Int? {
    guard let second = number(text, at: position, digits: 2), second <= 60 else { return nil }
    return second
  }

  /// `HH:MM`, `HH:MM:SS` or `HH:MM:SS.fraction`, with the position after it.
  static func timeOfDay(_ text: Span<UInt8>, at position: Int) -> (milliseconds: Int64, end: Int)? {
    guard let time = clock(text, at: position) else { return nil }
    var end = position + 5
    guard match(text, at: end, 0x3A) else { return (Int64(time) * 1000, end) }
    guard let second = second(text, at: end + 1) else { return nil }
    var milliseconds = Int64(time + second) * 1000
    end += 3
    if match(text, at: end, 0x2E) || match(text, at: end, 0x2C) {
      end += 1
      var unit: Int64 = 100
      let start = end
      while end < text.count, case let digit = text[end] &- 0x30, digit <= 9 {
        milliseconds += Int64(digit) * unit
        unit /= 10
        end += 1
      }
      guard end > start else { return nil }
    }
    return (milliseconds, end)
  }

  /// `YYYY-MM-DD` as days since 1970-01-01.
  static func date(_ text: Span<UInt8>, at position: Int) -> Int? {
    guard let year = number(text, at: position, digits: 4), match(text, at: position + 4, 0x2D),
      let month = number(text, at: position + 5, digits: 2), match(text, at: position + 7, 0x2D),
      let day = number(text, at: position + 8, digits: 2)
    else { return nil }
    return GregorianCalendar.days(year: year, month: month, day: day)
  }

  /// `Z`, `+HH:MM`, `+HHMM` or `+HH` as seconds east of UTC, with the position after it. At most 23:59.
  static func offset(_ text: Span<UInt8>, at position: Int) -> (seconds: Int, end: Int)? {
    if match(text, at: position, 0x5A) || match(text, at: position, 0x7A) { return (0, position + 1) }
    let west = match(text, at: position, 0x2D)
    guard west || match(text, at: position, 0x2B), let hours = number(text, at: position + 1, digits: 2), hours < 24
    else { return nil }
    var end = position + 3
    var minutes = 0
    let colon = match(text, at: end, 0x3A)
    if let number = number(text, at: colon ? end + 1 : end, digits: 2) {
      guard number < 60 else { return nil }
      minutes = number
      end += colon ? 3 : 2
    } else if colon {
      return nil
    }
    let seconds = hours * 3600 + minutes * 60
    return (west ? -seconds : seconds, end)
  }

  /// The English abbreviation of a month, as 1 to 12.
  static func month(_ text: Span<UInt8>, at position: Int) -> Int? {
    switch letters(text, at: position) {
    case 0x4A616E: 1
    case 0x466562: 2
    case 0x4D6172: 3
    case 0x417072: 4
    case 0x4D6179: 5
    case 0x4A756E: 6
    case 0x4A756C: 7
    case 0x417567: 8
    case 0x536570: 9
    case 0x4F6374: 10
    case 0x4E6F76: 11
    case 0x446563: 12
    default: nil
    }
  }

  /// Whether the three bytes are the English abbreviation of a weekday.
  static func isWeekday(_ text: Span<UInt8>, at position: Int) -> Bool {
    switch letters(text, at: position) {
    case 0x4D6F6E, 0x547565, 0x576564, 0x546875, 0x467269, 0x536174, 0x53756E: true
    default: false
    }
  }

  /// Three bytes as one number, the first the most significant: `Jan` is 0x4A616E.
  private static func letters(_ text: Span<UInt8>, at position: Int) -> UInt32? {
    guard position + 3 <= text.count else { return nil }
    return UInt32(text[position]) << 16 | UInt32(text[position + 1]) << 8 | UInt32(text[position + 2])
  }

  /// Appends a number that is not negative, padded with zeros to at least `digits`.
  static func append(_ value: Int, digits: Int, to text: inout [UInt8]) {
    var unit = 1
    for _ in 1..<digits { unit *= 10 }
    while value / unit >= 10 { unit *= 10 }
    while unit > 0 {
      text.append(0x30 + UInt8(value / unit % 10))
      unit /= 10
    }
  }
}
