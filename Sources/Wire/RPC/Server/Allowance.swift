/// A token bucket: so much at once, and so much more in each second.
package struct Allowance {
  private let burst: Int
  private let perSecond: Int
  private var left: Int
  /// The time up to which seconds have been counted.
  private var countedUntil: Duration

  /// Starts with all of `burst` available.
  package init(burst: Int, perSecond: Int, at now: Duration) {
    self.burst = burst
    self.perSecond = perSecond
    left = burst
    countedUntil = now
  }

  /// Spends `amount`. Returns false, and spends nothing, if less is left.
  package mutating func spend(_ amount: Int, at now: Duration) -> Bool {
    let seconds = (now - countedUntil).components.seconds
    if seconds > 0 {
      countedUntil += .seconds(seconds)
      // An hour fills any allowance, and keeps the product from overflowing.
      earn(Int(min(seconds, 3600)) * perSecond)
    }
    guard left >= amount else { return false }
    left -= amount
    return true
  }

  /// Spends `amount`, or earns its absolute value if it is negative. Returns false, and spends nothing, if less is
  /// left.
  mutating func spendNet(_ amount: Int, at now: Duration) -> Bool {
    guard amount <= 0 else { return spend(amount, at: now) }
    earn(-amount)
    return true
  }

  /// Adds to the allowance, up to the burst.
  mutating func earn(_ amount: Int) { left = min(burst, left + max(0, amount)) }
}
