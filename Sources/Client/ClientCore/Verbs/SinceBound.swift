/// How far back `--since` goes.
public enum SinceBound: Equatable, Sendable {
  /// Posts newer than this one, named as everywhere.
  case post(String)
  /// Posts of this instant or later, in milliseconds since 1970.
  case instant(Int64)

  /// Reads `12` or `twitter:12` (a post), `90s`, `30m`, `2h`, `3d` or `1w` (ago), `2024-03-03`, `2024-03-03T12:30`,
  /// `2024-03-03 12:30:15` (local time), or with `Z`, `+02:00` or `+0200` at its end (an instant).
  ///
  /// - Parameters:
  ///   - now: milliseconds since 1970.
  ///   - localOffset: seconds that local time is ahead of UTC when a local clock shows the given seconds since
  ///     1970-01-01T00:00.
  /// - Returns: nil where it is none of these.
  public init?(_ text: String, now: Int64, localOffset: (Int64) -> Int64) {
    if let ago = Self.duration(text) {
      self = .instant(now - ago)
    } else if let instant = Self.instant(text, localOffset) {
      self = .instant(instant)
    } else if PostReference.isPlausible(text), !Self.looksLikeDate(text) {
      self = .post(text)
    } else {
      return nil
    }
  }

  /// Whether a person who wrote `text` meant a date: a wrong one is better refused than looked up as a post.
  private static func looksLikeDate(_ text: String) -> Bool {
    var scanner = Scanner(text)
    return scanner.digits(4) != nil && scanner.take("-")
  }

  private static func duration(_ text: String) -> Int64? {
    let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800]
    guard let unit = text.last.flatMap({ units[$0] }), let number = Int64(text.dropLast()), 0...1_000_000 ~= number
    else { return nil }
    return number * unit * 1000
  }

  private static func instant(_ text: String, _ localOffset: (Int64) -> Int64) -> Int64? {
    var rest = Scanner(text)
    guard let year = rest.digits(4), rest.take("-"), let month = rest.digits(2), rest.take("-"),
      let day = rest.digits(2),
      let date = CivilDate(year: year, month: Int(month), day: Int(day))
    else { return nil }
    var seconds = date.daysSinceEpoch * 86_400
    if rest.isAtEnd { return (seconds - localOffset(seconds)) * 1000 }
    guard rest.take("T") || rest.take(" "), let hour = rest.digits(2), hour < 24, rest.take(":"),
      let minute = rest.digits(2),
      minute < 60
    else { return nil }
    seconds += hour * 3600 + minute * 60
    if rest.take(":") {
      guard let second = rest.digits(2), second < 60 else { return nil }
      seconds += second
    }
    if rest.isAtEnd { return (seconds - localOffset(seconds)) * 1000 }
    guard let offset = rest.offset(), rest.isAtEnd else { return nil }
    return (seconds - offset) * 1000
  }
}

/// Reads an ISO 8601 date from left to right.
private struct Scanner {
  private var rest: Substring.UTF8View

  init(_ text: String) { rest = text[...].utf8 }

  var isAtEnd: Bool { rest.isEmpty }

  mutating func take(_ character: Unicode.Scalar) -> Bool {
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

  /// Seconds ahead of UTC: `Z`, `+02:00`, `-0530` or `+02`.
  mutating func offset() -> Int64? {
    if take("Z") || take("z") { return 0 }
    let sign: Int64 = take("+") ? 1 : take("-") ? -1 : 0
    guard sign != 0, let hours = digits(2), hours < 24 else { return nil }
    if isAtEnd { return sign * hours * 3600 }
    _ = take(":")
    guard let minutes = digits(2), minutes < 60 else { return nil }
    return sign * (hours * 3600 + minutes * 60)
  }
}
