/// How much of something a peer may still do: so much at once, and so much more in each second (a token bucket).
struct Allowance {
  private let burst: Int
  private let perSecond: Int
  private var left: Int
  /// Up to when seconds have been counted.
  private var countedUntil: Duration

  /// All of `burst` is left.
  init(burst: Int, perSecond: Int, at now: Duration) {
    self.burst = burst
    self.perSecond = perSecond
    left = burst
    countedUntil = now
  }

  /// Spends; false if not so much is left.
  mutating func spend(_ amount: Int, at now: Duration) -> Bool {
    let seconds = (now - countedUntil).components.seconds
    if seconds > 0 {
      countedUntil += .seconds(seconds)
      // An hour fills any allowance, and is no number that overflows.
      earn(Int(min(seconds, 3600)) * perSecond)
    }
    left -= amount
    return left >= 0
  }

  /// Takes `amount` off, or adds what it is below 0; false if not so much is left.
  mutating func settle(_ amount: Int, at now: Duration) -> Bool {
    guard amount <= 0 else { return spend(amount, at: now) }
    earn(-amount)
    return true
  }

  /// Allows more, up to what may be done at once.
  mutating func earn(_ amount: Int) { left = min(burst, left + max(0, amount)) }
}
