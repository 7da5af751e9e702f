extension Instant {
  /// Reads what a person types for a point in time: ISO 8601 with an offset, which is the instant itself, or a date or
  /// a date and a time without one, which are meant in `zone`: `2024-03-03`, `2024-03-03 14:05`,
  /// `2024-03-03T14:05:06+01:00`.
  ///
  /// A date is the first instant of its day. A time that the clock skipped is the instant at which it was set forward;
  /// one that it showed twice is the first.
  public init?(userInput text: Span<UInt8>, zone: Zone) {
    if let instant = Instant(iso8601: text) {
      self = instant
    } else if let time = CivilTime(iso8601: text) {
      self = zone.instant(of: time)
    } else {
      return nil
    }
  }

  /// Reads what a person types; see the initializer for spans.
  public init?(userInput text: [UInt8], zone: Zone) { self.init(userInput: text.span, zone: zone) }
}
