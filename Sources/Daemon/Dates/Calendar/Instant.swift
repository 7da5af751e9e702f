/// A point in time: milliseconds since 1970-01-01T00:00:00Z, without leap seconds.
///
/// The daemon's only representation of time. Instants always arrive as arguments; nothing reads a clock on the spot.
public struct Instant: Hashable, Comparable, Sendable {
  /// Milliseconds since the Unix epoch; negative before it.
  public var milliseconds: Int64

  /// Wraps a count of milliseconds since the Unix epoch.
  public init(milliseconds: Int64) { self.milliseconds = milliseconds }

  /// Wraps a count of whole seconds since the Unix epoch.
  public init(seconds: Int64) { self.milliseconds = seconds * 1000 }

  /// Start of the range of ECMAScript's dates: 100 million days before the epoch, in the year -271,821.
  ///
  /// Zones and labels clamp instants outside ``distantPast``…``distantFuture`` to the nearer end, so that arithmetic on
  /// them cannot overflow.
  public static let distantPast = Instant(milliseconds: -8_640_000_000_000_000)
  /// End of the range of ECMAScript's dates: 100 million days after the epoch, in the year 275,760.
  public static let distantFuture = Instant(milliseconds: 8_640_000_000_000_000)

  /// The instant, clamped to the range that zones and labels can handle.
  var clamped: Instant { min(max(self, .distantPast), .distantFuture) }

  /// Whole seconds since the Unix epoch, rounded towards the past: 23:59:59.999 is still in second 59.
  public var seconds: Int64 { milliseconds >= 0 ? milliseconds / 1000 : (milliseconds + 1) / 1000 - 1 }

  public static func < (left: Instant, right: Instant) -> Bool { left.milliseconds < right.milliseconds }

  /// Returns the instant `milliseconds` later (earlier when negative).
  public func adding(milliseconds: Int64) -> Instant { Instant(milliseconds: self.milliseconds + milliseconds) }
}
