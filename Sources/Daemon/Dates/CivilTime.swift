/// A day and the time on the wall clock, as an instant reads in a zone.
///
/// While clocks are set back one civil time stands for two instants, and while they are set forward some stand for
/// none.
public struct CivilTime: Hashable, Sendable {
  public var date: CivilDate
  /// Milliseconds since the clock showed midnight, 0 to 86,399,999.
  public var millisecondOfDay: Int

  /// A time of a day.
  public init(date: CivilDate, millisecondOfDay: Int) {
    self.date = date
    self.millisecondOfDay = millisecondOfDay
  }

  /// 0 to 23.
  public var hour: Int { millisecondOfDay / 3_600_000 }
  /// 0 to 59.
  public var minute: Int { millisecondOfDay / 60_000 % 60 }
  /// 0 to 59.
  public var second: Int { millisecondOfDay / 1000 % 60 }

  /// Reads `YYYY-MM-DD`, which is its midnight, or a date and a time separated by `T`, `t` or a space: `HH:MM`,
  /// `HH:MM:SS`, `HH:MM:SS.fraction`. An offset is not part of it. `nil` for anything else.
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
