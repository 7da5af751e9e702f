internal import Dates

/// Writes the times of the user's clock for the client's own messages, as the daemon's labels do: "1:41 PM" in English.
/// The times of rows are the daemon's labels; these are for what only the client knows, as when it lost the daemon.
enum TimeOfDay {
  /// Returns the time of day.
  ///
  /// - Parameters:
  ///   - milliseconds: since 1970.
  ///   - offset: seconds that local time is ahead of UTC.
  static func text(_ milliseconds: Int64, offset: Int64, _ locale: Locale) -> String {
    let time = Instant(milliseconds: milliseconds)
    return label(for: time, now: time, zone: Zone(offsetSeconds: Int(offset)), style: .time, locale: locale).text
  }

  /// Returns the minute of the day, 0 to 1,439, at a time given as for ``text(_:offset:_:)``.
  static func minute(_ milliseconds: Int64, offset: Int64) -> Int {
    let seconds = milliseconds / 1000 + offset
    return Int(((seconds % 86_400) + 86_400) % 86_400 / 60)
  }
}
