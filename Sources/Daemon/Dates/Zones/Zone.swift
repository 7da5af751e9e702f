/// A time zone: the offset of its clocks from UTC at any instant.
///
/// A value type; a daemon holds one for each zone that its views use. The caller reads the system's zone file and
/// passes its bytes.
public struct Zone: Hashable, Sendable {
  /// Seconds since the epoch at which the offset changes, ascending.
  var transitions: [Int64]
  /// The offset from each transition on, in seconds east of UTC.
  var offsets: [Int32]
  /// The offset before the first transition.
  let initialOffset: Int32
  /// Seconds since the epoch from which `rule` holds: the last transition, even one that did not change the offset.
  var ruleStart: Int64
  /// The rule from `ruleStart` on; without it the last offset stays.
  let rule: PosixRule?

  /// UTC: no offset, ever.
  public static let utc = Zone(offsetSeconds: 0)

  /// A zone whose offset never changes.
  public init(offsetSeconds: Int) {
    self.init(transitions: [], offsets: [], initialOffset: Int32(offsetSeconds), ruleStart: .min, rule: nil)
  }

  init(transitions: [Int64], offsets: [Int32], initialOffset: Int32, ruleStart: Int64, rule: PosixRule?) {
    self.transitions = transitions
    self.offsets = offsets
    self.initialOffset = initialOffset
    self.ruleStart = ruleStart
    self.rule = rule
  }

  /// Returns the seconds that clocks are ahead of UTC (negative west of Greenwich). O(log transitions).
  public func offset(at instant: Instant) -> Int {
    let second = instant.clamped.seconds
    if let rule, second >= ruleStart { return rule.offset(at: second) }
    let index = transitionsUntil(second)
    return Int(index == 0 ? initialOffset : offsets[index - 1])
  }

  /// Returns the first instant after `instant` at which the offset changes; `nil` if it never changes again. O(log
  /// transitions).
  public func nextTransition(after instant: Instant) -> Instant? {
    let second = instant.clamped.seconds
    let index = transitionsUntil(second)
    if index < transitions.count { return Instant(seconds: transitions[index]) }
    guard let next = rule?.nextTransition(after: max(second, ruleStart)), next <= Instant.distantFuture.seconds else {
      return nil
    }
    return Instant(seconds: next)
  }

  /// Returns the date and time that clocks show at `instant`.
  public func civilTime(at instant: Instant) -> CivilTime {
    let local = instant.clamped.milliseconds + Int64(offset(at: instant)) * 1000
    let day = local >= 0 ? local / 86_400_000 : (local + 1) / 86_400_000 - 1
    return CivilTime(date: CivilDate(daysSinceEpoch: Int(day)), millisecondOfDay: Int(local - day * 86_400_000))
  }

  /// Returns the date that calendars show at `instant`.
  public func civilDate(at instant: Instant) -> CivilDate { civilTime(at: instant).date }

  /// Returns the first instant at which clocks show `time`, or the instant at which they were set forward past it.
  public func instant(of time: CivilTime) -> Instant {
    let local = Int64(time.date.daysSinceEpoch) * 86_400_000 + Int64(time.millisecondOfDay)
    // No clock is more than a day from UTC, so the offset in force is that of a day earlier or begins with a transition
    // since.
    var instant = Instant(milliseconds: local - 2 * 86_400_000)
    while true {
      let candidate = Instant(milliseconds: local - Int64(offset(at: instant)) * 1000)
      guard let transition = nextTransition(after: instant), transition <= candidate else {
        return max(candidate, instant)
      }
      instant = transition
    }
  }

  /// Returns the number of transitions at or before `second`.
  private func transitionsUntil(_ second: Int64) -> Int {
    var low = 0
    var high = transitions.count
    while low < high {
      let middle = (low + high) / 2
      if transitions[middle] <= second { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
