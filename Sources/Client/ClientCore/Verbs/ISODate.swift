/// A day with a time of day in ISO 8601.
enum ISODate {
  /// Returns true if `text` was meant as a date: an invalid one is refused instead of being looked up as a post.
  static func isMeant(by text: String) -> Bool {
    var scanner = Scanner(text)
    return scanner.digits(4) != nil && scanner.skip("-")
  }

  /// Reads `2024-03-03T12:30` or `2024-03-03 12:30:15` (local time), or a time that ends in `Z`, `+02:00` or `+0200`.
  /// Returns milliseconds since 1970; nil for any other text.
  static func instant(_ text: String, _ localOffset: (Int64) -> Int64) -> Int64? {
    var rest = Scanner(text)
    guard let year = rest.digits(4), rest.skip("-"), let month = rest.digits(2), rest.skip("-"),
      let day = rest.digits(2), let date = CalendarDay(year: year, month: Int(month), day: Int(day)),
      rest.skip("T") || rest.skip("t") || rest.skip(" "), let hour = rest.digits(2), hour < 24, rest.skip(":"),
      let minute = rest.digits(2), minute < 60
    else { return nil }
    var seconds = date.daysSinceEpoch * 86_400 + hour * 3600 + minute * 60
    if rest.skip(":") {
      guard let second = rest.digits(2), second < 60 else { return nil }
      seconds += second
    }
    if rest.isAtEnd { return (seconds - localOffset(seconds)) * 1000 }
    guard let offset = rest.offset(), rest.isAtEnd else { return nil }
    return (seconds - offset) * 1000
  }
}

/// Scans an ISO 8601 date from left to right.
private struct Scanner {
  private var rest: Substring.UTF8View

  init(_ text: String) { rest = text[...].utf8 }

  var isAtEnd: Bool { rest.isEmpty }

  mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard rest.first == UInt8(ascii: character) else { return false }
    rest = rest.dropFirst()
    return true
  }

  mutating func digits(_ count: Int) -> Int64? {
    let head = rest.prefix(count)
    guard head.count == count, head.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
    rest = rest.dropFirst(count)
    return head.reduce(0) { $0 * 10 + Int64($1 - 0x30) }
  }

  /// Reads an offset in seconds ahead of UTC: `Z`, `+02:00`, `-0530` or `+02`.
  mutating func offset() -> Int64? {
    if skip("Z") || skip("z") { return 0 }
    let sign: Int64 = skip("+") ? 1 : skip("-") ? -1 : 0
    guard sign != 0, let hours = digits(2), hours < 24 else { return nil }
    if isAtEnd { return sign * hours * 3600 }
    _ = skip(":")
    guard let minutes = digits(2), minutes < 60 else { return nil }
    return sign * (hours * 3600 + minutes * 60)
  }
}
