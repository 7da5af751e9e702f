/// The patterns of a locale's dates and times; see ``LocaleTable/text(_:_:)``.
struct DatePatterns: Sendable {
  /// Hours and minutes.
  let time: String
  /// A date in digits, as short as the language allows.
  let shortDate: String
  /// A month, in letters if the language has a form in letters, and a day.
  let monthDay: String
  let yearMonthDay: String
  /// The complete date and time, with weekday and seconds.
  let dateTime: String
}
