internal import Dates
internal import UV

/// The log of a connector: its standard error, which is the daemon's.
public enum ProgramLog {
  /// Writes a line with the time in UTC, as the daemon's own lines have it.
  public static func write(_ line: String, of program: String) {
    let time = Instant(milliseconds: Loop.wallClockMilliseconds / 1000 * 1000).iso8601
    try? Process.write("\(time) \(program): \(line)\n", to: .error)
  }
}
