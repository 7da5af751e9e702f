/// The units that labels count in.
public enum TimeUnit: UInt8, Hashable, Sendable {
  case second, minute, hour, day, month, year
}

/// What a label says, before it is said in a language.
///
/// For one post, zone, style and locale two wordings are equal exactly if their texts are: to find out whether a label
/// has changed takes no text, and so no memory.
public enum Wording: Hashable, Sendable {
  /// Just now, or a little ahead (rule 26); very short or in words.
  case now(isNarrow: Bool)
  /// So many units ago or ahead.
  case relative(RelativeTime)
  /// The time of day, on the day of the label.
  case time(CivilTime)
  case today
  case yesterday
  /// A day of the last week, 0 for Sunday.
  case weekday(Int)
  /// A date in words, without the year if that goes without saying.
  case date(CivilDate, withYear: Bool)
  /// A date in digits.
  case shortDate(CivilDate)
  /// Date and time in full.
  case dateTime(CivilTime)

  /// The text. Most are of 15 bytes or fewer, which `String` keeps without allocating.
  public func text(in locale: Locale) -> String {
    let table = locale.table
    switch self {
    case .now(let isNarrow):
      guard let relative = table.relative else { return "now" }
      return isNarrow ? relative.narrowNow : relative.now
    case .relative(let time): return table.text(time)
    case .time(let time): return table.text(table.time, time)
    case .today: return table.today
    case .yesterday: return table.yesterday
    case .weekday(let day): return table.weekdaysAlone[day]
    case .date(let date, let withYear):
      return table.text(withYear ? table.yearMonthDay : table.monthDay, midnight(of: date))
    case .shortDate(let date): return table.text(table.shortDate, midnight(of: date))
    case .dateTime(let time): return table.text(table.dateTime, time)
    }
  }

  private func midnight(of date: CivilDate) -> CivilTime { CivilTime(date: date, millisecondOfDay: 0) }
}

/// A distance in time as it is said: so many units, about, ago or ahead.
public struct RelativeTime: Hashable, Sendable {
  /// How the count stands to the distance (rule 23); other languages than English say none of it.
  public enum Nearness: UInt8, Hashable, Sendable {
    case exactly, lessThan, about, over, almost
  }

  /// Not negative.
  public var count: Int64
  public var unit: TimeUnit
  public var nearness = Nearness.exactly
  public var isAhead: Bool
  /// Whether it is said as shortly as the language can.
  public var isNarrow = false
}

extension LocaleTable {
  /// A distance in time, in words.
  func text(_ time: RelativeTime) -> String {
    guard let relative else { return English.text(time) }
    let forms =
      switch (time.isNarrow, time.isAhead) {
      case (false, false): relative.past
      case (false, true): relative.future
      case (true, false): relative.narrowPast
      case (true, true): relative.narrowFuture
      }
    let pattern = forms[time.unit][plural(time.count)]
    guard let brace = pattern.utf8.firstIndex(of: UInt8(ascii: "{")) else { return pattern }
    return pattern[..<brace] + number(Int(time.count)) + pattern[pattern.utf8.index(brace, offsetBy: 3)...]
  }
}
