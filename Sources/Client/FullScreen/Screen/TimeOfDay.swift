/// Formats hours and minutes of the user's clock ("14:05") for the client's own messages. The times of rows are the
/// daemon's labels.
enum TimeOfDay {
  /// - Parameters:
  ///   - milliseconds: since 1970.
  ///   - offset: seconds that local time is ahead of UTC.
  static func text(_ milliseconds: Int64, offset: Int64) -> String {
    let minutes = minute(milliseconds, offset: offset)
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(two(minutes / 60)):\(two(minutes % 60))"
  }

  /// Returns the minute of the day, 0 to 1,439, at a time given as for ``text(_:offset:)``.
  static func minute(_ milliseconds: Int64, offset: Int64) -> Int {
    let seconds = milliseconds / 1000 + offset
    return Int(((seconds % 86_400) + 86_400) % 86_400 / 60)
  }
}
