internal import Dates

/// An engine's clock.
struct EngineTime {
  /// Instant of the last call.
  var now = Instant(milliseconds: .min)
  /// Fixed instant that labels are made for; nil to use ``now``.
  var frozenAt: Instant?

  /// Returns the earlier of two instants; nil means never.
  static func earlier(_ one: Instant?, _ other: Instant?) -> Instant? {
    guard let one, let other else { return one ?? other }
    return min(one, other)
  }
}
