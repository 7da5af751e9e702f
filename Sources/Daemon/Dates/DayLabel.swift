extension LabelMoment {
  /// Rule 31, for posts of coming days as for those long past: month and day.
  func clock() -> Label {
    let time = zone.civilTime(at: instant)
    let today = zone.civilDate(at: now)
    let age = today.daysSinceEpoch - time.date.daysSinceEpoch
    var label: Label
    switch age {
    case 0: label = Label(text: English.time(time, withSeconds: false), nextChange: nil)
    case 1: label = Label(text: "Yesterday", nextChange: nil)
    case 2...6: label = Label(text: English.weekdays[time.date.weekday], nextChange: nil)
    default: label = yearlyDate()
    }
    if age < 0 {
      label.nextChange = min(label.nextChange ?? .distantFuture, approach(time.date))
    } else if age <= 8 {
      // Until two days after the last weekday, clocks that are set back over midnight bring one back.
      label.nextChange = approach(today.adding(days: 1))
    }
    return label
  }
}
