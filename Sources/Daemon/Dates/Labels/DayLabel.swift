extension LabelMoment {
  /// Rule 31, with what is said of a post of today; posts of coming days are as those long past: month and day.
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
      timed.nextChange = min(timed.nextChange ?? .distantFuture, approach(time.date))
    } else if age <= 8 {
      // Until two days after the last weekday, clocks that are set back over midnight bring one back.
      timed.nextChange = approach(today.adding(days: 1))
    }
    return timed
  }
}
