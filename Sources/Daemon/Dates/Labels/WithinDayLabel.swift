extension LabelMoment {
  /// Returns the label of a row under the line of its day (docs/BEHAVIOUR.md, rule 27): very short within an hour of now
  /// on the same day, otherwise the time of day. Slightly ahead is now on any day (rule 26).
  ///
  /// A very short label becomes a time of day at midnight, when the line of its day changes too.
  func withinDay() -> TimedWording {
    if isAhead, distance <= Self.longestNow { return veryShort() }
    let day = zone.civilDate(at: instant).daysSinceEpoch
    let today = zone.civilDate(at: now).daysSinceEpoch
    let hour: Int64 = 3_600_000
    let isNear = distance < hour
    var timed = today == day && isNear ? veryShort() : timeOfDay()
    if today < day {
      // A post of just now can be of tomorrow, after clocks were set back over midnight.
      let soon = isAhead ? instant.adding(milliseconds: -Self.longestNow) : .distantFuture
      timed.nextChange = min(approach(day), soon)
    } else if isNear {
      // Clocks set back over midnight return to the day before.
      timed.nextChange = min(timed.nextChange ?? .distantFuture, approach(today + 1))
    } else if isAhead {
      timed.nextChange = instant.adding(milliseconds: 1 - hour)
    }
    return timed
  }
}
