/// A point in time: milliseconds since 1970-01-01T00:00:00Z, without leap seconds.
///
/// The daemon's only representation of time; it always arrives as an argument, never from a clock read on the spot.
public struct Instant: Hashable, Comparable, Sendable {
  /// Milliseconds since the Unix epoch; negative before it.
  public var milliseconds: Int64

  /// Wraps a count of milliseconds since the Unix epoch.
  public init(milliseconds: Int64) { self.milliseconds = milliseconds }

  /// Wraps a count of whole seconds since the Unix epoch.
  public init(seconds: Int64) { self.milliseconds = seconds * 1000 }

  /// 100 million days before and after the epoch, in the years -271,821 and 275,760: the range of ECMAScript's dates.
  /// Zones and labels take an instant outside of it for the nearer end, so that no arithmetic on them overflows.
  public static let distantPast = Instant(milliseconds: -8_640_000_000_000_000)
  /// The other end.
  public static let distantFuture = Instant(milliseconds: 8_640_000_000_000_000)

  /// The instant, or the nearer end of what zones and labels can handle.
  var clamped: Instant { min(max(self, .distantPast), .distantFuture) }

  /// Whole seconds since the Unix epoch, rounded towards the past, so that 23:59:59.999 is still that second.
  public var seconds: Int64 { milliseconds >= 0 ? milliseconds / 1000 : (milliseconds + 1) / 1000 - 1 }

  public static func < (left: Instant, right: Instant) -> Bool { left.milliseconds < right.milliseconds }

  /// The instant `milliseconds` later (earlier when negative).
  public func adding(milliseconds: Int64) -> Instant { Instant(milliseconds: self.milliseconds + milliseconds) }
}
