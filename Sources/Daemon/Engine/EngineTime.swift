internal import Dates

/// What time it is for an engine.
struct EngineTime {
  /// When it was last called.
  var now = Instant(milliseconds: .min)
  /// The instant that labels are made for whatever time it is; nil where that is ``now``.
  var frozenAt: Instant?

  /// The earlier of two instants, nil being never.
  static func earlier(_ one: Instant?, _ other: Instant?) -> Instant? {
    guard let one, let other else { return one ?? other }
    return min(one, other)
  }
}
