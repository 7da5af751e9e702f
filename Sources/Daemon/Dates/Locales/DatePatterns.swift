/// The patterns by which a locale writes dates and times, see ``LocaleTable/text(_:_:)``.
struct DatePatterns: Sendable {
  /// Hours and minutes.
  let time: String
  /// A date in as few digits as the language puts up with.
  let shortDate: String
  /// A month, in letters if the language has any for that, and a day.
  let monthDay: String
  let yearMonthDay: String
  /// All there is to say, the weekday and seconds too.
  let dateTime: String
}
