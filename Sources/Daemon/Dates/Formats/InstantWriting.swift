/// Instants written as ISO 8601.
extension Instant {
  /// Appends the instant in UTC as ISO 8601, with milliseconds unless they are 0: `2018-10-10T20:19:24Z`, `….123Z`.
  ///
  /// ``init(iso8601:)-(Span<UInt8>)`` reads the result back unchanged for the years 0 to 9999. Other years are written
  /// with a sign and at least six digits (ISO 8601 4.1.2.4).
  public func appendISO8601(to text: inout [UInt8]) {
    let second = seconds
    let day = second >= 0 ? second / 86_400 : (second - 86_399) / 86_400
    let date = GregorianCalendar.civil(days: Int(day))
    let time = Int(second - day * 86_400)
    if (0...9999).contains(date.year) {
      Instant.append(date.year, digits: 4, to: &text)
    } else {
      text.append(date.year < 0 ? 0x2D : 0x2B)
      Instant.append(abs(date.year), digits: 6, to: &text)
    }
    text.append(0x2D)
    Instant.append(date.month, digits: 2, to: &text)
    text.append(0x2D)
    Instant.append(date.day, digits: 2, to: &text)
    text.append(0x54)
    Instant.append(time / 3600, digits: 2, to: &text)
    text.append(0x3A)
    Instant.append(time / 60 % 60, digits: 2, to: &text)
    text.append(0x3A)
    Instant.append(time % 60, digits: 2, to: &text)
    let fraction = Int(milliseconds % 1000 + 1000) % 1000
    if fraction != 0 {
      text.append(0x2E)
      Instant.append(fraction, digits: 3, to: &text)
    }
    text.append(0x5A)
  }

  /// The instant in UTC as ISO 8601; see ``appendISO8601(to:)``.
  public var iso8601: String {
    var text: [UInt8] = []
    text.reserveCapacity(24)
    appendISO8601(to: &text)
    return String(decoding: text, as: UTF8.self)
  }

  /// Appends a non-negative number, padded with zeros to at least `digits`.
  private static func append(_ value: Int, digits: Int, to text: inout [UInt8]) {
    var unit = 1
    for _ in 1..<digits { unit *= 10 }
    while value / unit >= 10 { unit *= 10 }
    while unit > 0 {
      text.append(0x30 + UInt8(value / unit % 10))
      unit /= 10
    }
  }
}
