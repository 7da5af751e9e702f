extension Instant {
  /// Reads a point in time typed by a user: `2024-03-03`, `2024-03-03 14:05`, `2024-03-03T14:05:06+01:00`.
  ///
  /// ISO 8601 with an offset is the instant itself. A date, or a date and time, without an offset is read in `zone`. A
  /// date alone is the first instant of its day. A time that the clock skipped is the instant at which it was set
  /// forward; a time that it showed twice is the first of the two.
  public init?(userInput text: Span<UInt8>, zone: Zone) {
    if let instant = Instant(iso8601: text) {
      self = instant
    } else if let time = CivilTime(iso8601: text) {
      self = zone.instant(of: time)
    } else {
      return nil
    }
  }

  /// Reads a point in time typed by a user; see the initializer for spans.
  public init?(userInput text: [UInt8], zone: Zone) { self.init(userInput: text.span, zone: zone) }
}
