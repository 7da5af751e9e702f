/// The content of a label, independent of language.
///
/// For one post, zone, style and locale, two wordings are equal exactly if their texts are. Comparing wordings
/// therefore shows whether a label has changed without making its text, and so without allocating.
public enum Wording: Hashable, Sendable {
  /// Just now, or slightly ahead (docs/BEHAVIOUR.md, rule 26); very short or in words.
  case now(isNarrow: Bool)
  /// A number of units ago or ahead.
  case relative(RelativeTime)
  /// The time of day, on the day of the label.
  case time(CivilTime)
  case today
  case yesterday
  /// A day of the last week, 0 for Sunday.
  case weekday(Int)
  /// A date in words, without the year if it is the current one.
  case date(CivilDate, withYear: Bool)
  /// A date in digits.
  case shortDate(CivilDate)
  /// Date and time in full.
  case dateTime(CivilTime)

  /// Returns the text. Most are at most 15 bytes, which `String` stores without allocating.
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
