/// A locale's names for months, weekdays and parts of a day.
struct DateNames: Sendable {
  /// January to December as written in dates, in full and short; empty where no pattern uses them.
  let months: [String]
  let shortMonths: [String]
  /// Sunday to Saturday as written in dates, and as written alone.
  let weekdays: [String]
  let weekdaysAlone: [String]
  /// The halves of a day; empty for 24-hour clocks.
  let dayPeriods: [String]
  let today: String
  let yesterday: String
}
