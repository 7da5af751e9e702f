/// What a locale calls days and their parts.
struct DateNames: Sendable {
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
}
