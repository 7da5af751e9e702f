/// What labels need of one locale: names, patterns, and what to say of a time so many units away.
///
/// Made by `scripts/generate-locales` of CLDR; one instance a locale, made at its first use and then shared by all.
final class LocaleTable: Sendable {
  /// BCP 47.
  let tag: String
  /// How numbers are written.
  let numerals: Numerals
  /// What days and their parts are called.
  let names: DateNames
  /// How dates and times are written.
  let patterns: DatePatterns
  /// Relative times; none for English, which has words of its own.
  let relative: RelativeTimes?

  init(
    tag: String, zero: Unicode.Scalar, plural: @escaping @Sendable (Int64) -> PluralCategory, months: [String] = [],
    shortMonths: [String] = [], weekdays: [String], weekdaysAlone: [String]? = nil, dayPeriods: [String] = [],
    today: String, yesterday: String, time: String, shortDate: String, monthDay: String, yearMonthDay: String,
    dateTime: String, relative: RelativeTimes?
  ) {
    self.tag = tag
    numerals = Numerals(zero: zero, plural: plural)
    names = DateNames(
      months: months, shortMonths: shortMonths, weekdays: weekdays, weekdaysAlone: weekdaysAlone ?? weekdays,
      dayPeriods: dayPeriods, today: today, yesterday: yesterday)
    patterns = DatePatterns(
      time: time, shortDate: shortDate, monthDay: monthDay, yearMonthDay: yearMonthDay, dateTime: dateTime)
    self.relative = relative
  }

  /// Returns a pattern with the fields of `time` put in.
  ///
  /// Letters are fields as in CLDR (UTS #35, part 4, section 8), but for those in quotes; `scripts/generate-locales`
  /// lets no others through than those here. A year is its number, whatever the era.
  func text(_ pattern: String, _ time: CivilTime) -> String {
    var result = ""
    var isQuoted = false
    var rest = pattern.utf8[...]
    while let byte = rest.first {
      if byte == UInt8(ascii: "'") {
        isQuoted.toggle()
        rest.removeFirst()
      } else if !isQuoted && Self.isLetter(byte) {
        let width = rest.prefix { $0 == byte }.count
        rest = rest.dropFirst(width)
        result += field(Unicode.Scalar(byte), width: width, time)
      } else {
        let quoted = isQuoted
        let literal = rest.prefix { $0 != UInt8(ascii: "'") && (quoted || !Self.isLetter($0)) }
        rest = rest[literal.endIndex...]
        result += Substring(literal)
      }
    }
    return result
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    byte | 0x20 >= UInt8(ascii: "a") && byte | 0x20 <= UInt8(ascii: "z")
  }

  private func field(_ letter: Unicode.Scalar, width: Int, _ time: CivilTime) -> String {
    let date = time.date
    switch letter {
    case "y" where width == 2: return numerals.text(((date.year % 100) + 100) % 100, digits: 2)
    case "y": return numerals.text(date.year)
    case "M" where width == 4: return names.months[date.month - 1]
    case "M" where width == 3: return names.shortMonths[date.month - 1]
    case "M": return numerals.text(date.month, digits: width)
    case "d": return numerals.text(date.day, digits: width)
    case "E": return names.weekdays[date.weekday]
    case "a": return names.dayPeriods[time.hour / 12]
    case "H": return numerals.text(time.hour, digits: width)
    case "h": return numerals.text((time.hour + 11) % 12 + 1, digits: width)
    case "K": return numerals.text(time.hour % 12, digits: width)
    case "k": return numerals.text((time.hour + 23) % 24 + 1, digits: width)
    case "m": return numerals.text(time.minute, digits: width)
    default: return numerals.text(time.second, digits: width)
    }
  }

  /// Returns a distance in time, in words.
  func text(_ time: RelativeTime) -> String {
    guard let relative else { return English.text(time) }
    let forms =
      switch (time.isNarrow, time.isAhead) {
      case (false, false): relative.past
      case (false, true): relative.future
      case (true, false): relative.narrowPast
      case (true, true): relative.narrowFuture
      }
    let pattern = forms[time.unit][numerals.plural(time.count)]
    guard let brace = pattern.utf8.firstIndex(of: UInt8(ascii: "{")) else { return pattern }
    return pattern[..<brace] + numerals.text(Int(time.count)) + pattern[pattern.utf8.index(brace, offsetBy: 3)...]
  }
}
