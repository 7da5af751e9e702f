/// Readers for the fields of date and time formats. A position past the end reads as a missing field.
enum Fields {
  /// True if the byte at `position` is `byte`.
  static func match(_ text: Span<UInt8>, at position: Int, _ byte: UInt8) -> Bool {
    position < text.count && text[position] == byte
  }

  /// Reads a number of exactly `digits` decimal digits, without a sign.
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

  /// Reads `HH:MM` as seconds of the day.
  static func clock(_ text: Span<UInt8>, at position: Int) -> Int? {
    guard let hour = number(text, at: position, digits: 2), hour < 24, match(text, at: position + 2, 0x3A),
      let minute = number(text, at: position + 3, digits: 2), minute < 60
    else { return nil }
    return hour * 3600 + minute * 60
  }

  /// Reads `SS`, 0 to 60.
  static func second(_ text: Span<UInt8>, at position: Int) -> Int? {
    guard let second = number(text, at: position, digits: 2), second <= 60 else { return nil }
    return second
  }

  /// Reads `HH:MM`, `HH:MM:SS` or `HH:MM:SS.fraction`; also returns the position after it.
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

  /// Reads `YYYY-MM-DD` as days since 1970-01-01.
  static func date(_ text: Span<UInt8>, at position: Int) -> Int? {
    guard let year = number(text, at: position, digits: 4), match(text, at: position + 4, 0x2D),
      let month = number(text, at: position + 5, digits: 2), match(text, at: position + 7, 0x2D),
      let day = number(text, at: position + 8, digits: 2)
    else { return nil }
    return GregorianCalendar.days(year: year, month: month, day: day)
  }

  /// Reads `Z`, `+HH:MM`, `+HHMM` or `+HH`, at most 23:59, as seconds east of UTC; also returns the position after it.
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

  /// Reads the English abbreviation of a month as 1 to 12.
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

  /// True if the three bytes are the English abbreviation of a weekday.
  static func isWeekday(_ text: Span<UInt8>, at position: Int) -> Bool {
    switch letters(text, at: position) {
    case 0x4D6F6E, 0x547565, 0x576564, 0x546875, 0x467269, 0x536174, 0x53756E: true
    default: false
    }
  }

  /// Reads three bytes as one number, the first the most significant: `Jan` is 0x4A616E.
  private static func letters(_ text: Span<UInt8>, at position: Int) -> UInt32? {
    guard position + 3 <= text.count else { return nil }
    return UInt32(text[position]) << 16 | UInt32(text[position + 1]) << 8 | UInt32(text[position + 2])
  }
}
