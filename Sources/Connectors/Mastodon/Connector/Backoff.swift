/// The pauses before a login connects again: random, and longer each time, so that a server that comes back is not
/// asked by all at once.
struct Backoff {
  /// The longest pause in milliseconds.
  static let longest: Int64 = 300_000

  private var failures = 0

  /// Returns the next pause in milliseconds.
  mutating func next(using generator: inout some RandomNumberGenerator) -> Int64 {
    let most = min(Self.longest, 1_000 << Int64(min(failures, 20)))
    failures += 1
    return Int64.random(in: 0...most, using: &generator)
  }

  /// A connection has lasted.
  mutating func reset() { failures = 0 }
}
