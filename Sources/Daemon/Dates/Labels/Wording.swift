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
    case .time(let time): return table.text(table.patterns.time, time)
    case .today: return table.names.today
    case .yesterday: return table.names.yesterday
    case .weekday(let day): return table.names.weekdaysAlone[day]
    case .date(let date, let withYear):
      return table.text(withYear ? table.patterns.yearMonthDay : table.patterns.monthDay, midnight(of: date))
    case .shortDate(let date): return table.text(table.patterns.shortDate, midnight(of: date))
    case .dateTime(let time): return table.text(table.patterns.dateTime, time)
    }
  }

  private func midnight(of date: CivilDate) -> CivilTime { CivilTime(date: date, millisecondOfDay: 0) }
}
