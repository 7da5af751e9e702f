/// A time zone: how far its clocks are ahead of UTC at any instant.
///
/// A value like any other; a daemon holds as many at once as its views ask for. Made from the bytes of the system's
/// zone files, which whoever makes it has read.
public struct Zone: Hashable, Sendable {
  /// Seconds since the epoch at which the offset changes, ascending.
  var transitions: [Int64]
  /// The offset from each of them on, in seconds east of UTC.
  var offsets: [Int32]
  /// The offset before the first.
  let initialOffset: Int32
  /// From when on `rule` holds: the last transition, whether or not it changed the offset.
  var ruleStart: Int64
  /// What holds from `ruleStart` on; without it the last offset stays.
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

  /// Seconds that clocks are ahead of UTC (negative west of Greenwich). O(log transitions).
  public func offset(at instant: Instant) -> Int {
    let second = instant.clamped.seconds
    if let rule, second >= ruleStart { return rule.offset(at: second) }
    let index = transitionsUntil(second)
    return Int(index == 0 ? initialOffset : offsets[index - 1])
  }

  /// The first instant after `instant` at which the offset changes; `nil` if it never does again. O(log transitions).
  public func nextTransition(after instant: Instant) -> Instant? {
    let second = instant.clamped.seconds
    let index = transitionsUntil(second)
    if index < transitions.count { return Instant(seconds: transitions[index]) }
    guard let next = rule?.nextTransition(after: max(second, ruleStart)), next <= Instant.distantFuture.seconds else {
      return nil
    }
    return Instant(seconds: next)
  }

  /// What clocks show at `instant`.
  public func civilTime(at instant: Instant) -> CivilTime {
    let local = instant.clamped.milliseconds + Int64(offset(at: instant)) * 1000
    let day = local >= 0 ? local / 86_400_000 : (local + 1) / 86_400_000 - 1
    return CivilTime(date: CivilDate(daysSinceEpoch: Int(day)), millisecondOfDay: Int(local - day * 86_400_000))
  }

  /// The day that calendars show at `instant`.
  public func civilDate(at instant: Instant) -> CivilDate { civilTime(at: instant).date }

  /// The first instant at which clocks show `time`, or the one at which they were set forward past it.
  public func instant(of time: CivilTime) -> Instant {
    let local = Int64(time.date.daysSinceEpoch) * 86_400_000 + Int64(time.millisecondOfDay)
    // No clock is more than a day from UTC: the offset in force is that of a day before or comes with a transition
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

  /// The number of transitions at or before `second`.
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
