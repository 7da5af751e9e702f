/// The value of `grpc-timeout`: one to eight digits and a unit (gRPC over HTTP/2, "Requests").
enum Timeout {
  /// Nanoseconds in each unit, finest first.
  private static let units: [(letter: UInt8, nanoseconds: Int64)] = [
    (UInt8(ascii: "n"), 1), (UInt8(ascii: "u"), 1_000), (UInt8(ascii: "m"), 1_000_000),
    (UInt8(ascii: "S"), 1_000_000_000), (UInt8(ascii: "M"), 60_000_000_000), (UInt8(ascii: "H"), 3_600_000_000_000),
  ]

  /// The largest value of eight digits.
  private static let maximum: Int64 = 99_999_999

  /// Returns nil if the text does not have that form.
  static func parse(_ text: String) -> Duration? {
    let bytes = Array(text.utf8)
    guard (2...9).contains(bytes.count), let unit = units.first(where: { $0.letter == bytes[bytes.count - 1] }) else {
      return nil
    }
    var value: Int64 = 0
    for byte in bytes.dropLast() {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
      value = value * 10 + Int64(byte - UInt8(ascii: "0"))
    }
    // 99,999,999 hours in nanoseconds overflow 64 bits; in seconds they fit.
    return unit.nanoseconds < 1_000_000_000
      ? .nanoseconds(value * unit.nanoseconds) : .seconds(value * (unit.nanoseconds / 1_000_000_000))
  }

  /// Formats in the finest unit for which eight digits suffice, rounded up. A negative timeout counts as 0.
  static func format(_ timeout: Duration) -> String {
    let parts = max(timeout, .zero).components
    for unit in units {
      let value: Int64
      if unit.nanoseconds < 1_000_000_000 {
        let perSecond = 1_000_000_000 / unit.nanoseconds
        guard parts.seconds <= maximum / perSecond else { continue }
        let attosecondsPerUnit = unit.nanoseconds * 1_000_000_000
        value = parts.seconds * perSecond + (parts.attoseconds + attosecondsPerUnit - 1) / attosecondsPerUnit
      } else {
        let seconds = parts.seconds + (parts.attoseconds > 0 ? 1 : 0)
        let perUnit = unit.nanoseconds / 1_000_000_000
        value = (seconds + perUnit - 1) / perUnit
      }
      if value <= maximum { return "\(value)\(Character(Unicode.Scalar(unit.letter)))" }
    }
    return "\(maximum)H"
  }
}
