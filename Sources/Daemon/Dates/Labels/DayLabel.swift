extension LabelMoment {
  /// Returns the label by calendar day (docs/BEHAVIOUR.md, rule 31); `wordingToday` makes that of a post from today.
  ///
  /// Future days are written like days long past: month and day.
  func day(today wordingToday: (CivilTime) -> Wording) -> TimedWording {
    let time = zone.civilTime(at: instant)
    let today = zone.civilDate(at: now)
    let age = today.daysSinceEpoch - time.date.daysSinceEpoch
    var timed: TimedWording
    switch age {
    case 0: timed = TimedWording(wording: wordingToday(time), nextChange: nil)
    case 1: timed = TimedWording(wording: .yesterday, nextChange: nil)
    case 2...6: timed = TimedWording(wording: .weekday(time.date.weekday), nextChange: nil)
    default: timed = yearlyDate()
    }
    if age < 0 {
      timed.nextChange = min(timed.nextChange ?? .distantFuture, approach(time.date.daysSinceEpoch))
    } else if age <= 8 {
      // Clocks set back over midnight can bring a weekday back until two days after the last one.
      timed.nextChange = approach(today.daysSinceEpoch + 1)
    }
    return timed
  }
}
