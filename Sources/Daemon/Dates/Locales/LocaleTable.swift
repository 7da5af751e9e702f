/// What labels need of one locale: names, patterns, and what to say of a time so many units away.
///
/// Made by `scripts/generate-locales` of CLDR; one instance a locale, made at its first use and then shared by all.
final class LocaleTable: Sendable {
  /// BCP 47.
  let tag: String
  /// The digit 0; the other nine follow it in Unicode.
  let zero: Unicode.Scalar
  /// The plural category of a whole number.
  let plural: @Sendable (Int64) -> PluralCategory
  /// January to December as they stand in dates, in full and short; empty where no pattern asks for them.
  let months: [String]
  let shortMonths: [String]
  /// Sunday to Saturday as they stand in dates, and as they are written by themselves.
  let weekdays: [String]
  let weekdaysAlone: [String]
  /// The halves of a day; empty where clocks count 24 hours.
  let dayPeriods: [String]
  let today: String
  let yesterday: String
  /// Hours and minutes. This and the following are patterns, see ``text(_:_:)``.
  let time: String
  /// A date in as few digits as the language puts up with.
  let shortDate: String
  /// A month, in letters if the language has any for that, and a day.
  let monthDay: String
  let yearMonthDay: String
  /// All there is to say, the weekday and seconds too.
  let dateTime: String
  /// Relative times; none for English, which has words of its own.
  let relative: RelativeTimes?

  init(
    tag: String, zero: Unicode.Scalar, plural: @escaping @Sendable (Int64) -> PluralCategory, months: [String] = [],
    shortMonths: [String] = [], weekdays: [String], weekdaysAlone: [String]? = nil, dayPeriods: [String] = [],
    today: String,
    yesterday: String, time: String, shortDate: String, monthDay: String, yearMonthDay: String, dateTime: String,
    relative: RelativeTimes?
  ) {
    self.tag = tag
    self.zero = zero
    self.plural = plural
    self.months = months
    self.shortMonths = shortMonths
    self.weekdays = weekdays
    self.weekdaysAlone = weekdaysAlone ?? weekdays
    self.dayPeriods = dayPeriods
    self.today = today
    self.yesterday = yesterday
    self.time = time
    self.shortDate = shortDate
    self.monthDay = monthDay
    self.yearMonthDay = yearMonthDay
    self.dateTime = dateTime
    self.relative = relative
  }

  /// A pattern with the fields of `time` put in.
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
    case "y" where width == 2: return number(((date.year % 100) + 100) % 100, digits: 2)
    case "y": return number(date.year)
    case "M" where width == 4: return months[date.month - 1]
    case "M" where width == 3: return shortMonths[date.month - 1]
    case "M": return number(date.month, digits: width)
    case "d": return number(date.day, digits: width)
    case "E": return weekdays[date.weekday]
    case "a": return dayPeriods[time.hour / 12]
    case "H": return number(time.hour, digits: width)
    case "h": return number((time.hour + 11) % 12 + 1, digits: width)
    case "K": return number(time.hour % 12, digits: width)
    case "k": return number((time.hour + 23) % 24 + 1, digits: width)
    case "m": return number(time.minute, digits: width)
    default: return number(time.second, digits: width)
    }
  }

  /// A number in the locale's digits, of which there are at least so many.
  func number(_ value: Int, digits: Int = 1) -> String {
    var text = String(value.magnitude)
    while text.utf8.count < digits { text = "0" + text }
    if zero != "0" {
      var translated = String.UnicodeScalarView()
      for digit in text.utf8 { translated.append(Unicode.Scalar(zero.value + UInt32(digit - 0x30))!) }
      text = String(translated)
    }
    return value < 0 ? "-" + text : text
  }
}
