extension CivilDate {
  /// Reads exactly `YYYY-MM-DD`; `nil` for anything else and for days that do not exist.
  public init?(iso8601 text: Span<UInt8>) {
    guard text.count == 10, let days = Fields.date(text, at: 0) else { return nil }
    self.init(daysSinceEpoch: days)
  }

  /// Reads exactly `YYYY-MM-DD`.
  public init?(iso8601 text: [UInt8]) { self.init(iso8601: text.span) }
}

extension CivilTime {
  /// Reads `YYYY-MM-DD`, as its midnight, or a date and a time separated by `T`, `t` or a space; `nil` for anything
  /// else.
  ///
  /// The time is `HH:MM`, `HH:MM:SS` or `HH:MM:SS.fraction`, without an offset.
  public init?(iso8601 text: Span<UInt8>) {
    guard let days = Fields.date(text, at: 0) else { return nil }
    date = CivilDate(daysSinceEpoch: days)
    millisecondOfDay = 0
    guard text.count > 10 else { return }
    guard Fields.match(text, at: 10, 0x54) || Fields.match(text, at: 10, 0x74) || Fields.match(text, at: 10, 0x20),
      let time = Fields.timeOfDay(text, at: 11), time.end == text.count, time.milliseconds < 86_400_000
    else { return nil }
    millisecondOfDay = Int(time.milliseconds)
  }
}
