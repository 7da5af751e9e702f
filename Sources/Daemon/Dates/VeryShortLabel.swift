extension LabelMoment {
  /// Rule 24: whole units that have passed, so that there never is a 60s, 60m, 24h or 7d; from a week on the date.
  func veryShort() -> Label {
    let shortest = isAhead ? Self.longestNow + 1 : 10_000
    guard distance >= shortest else { return Label(text: "now", nextChange: end(of: 0..<shortest)) }
    let week: Int64 = 7 * 86_400_000
    guard distance < week else {
      var label = yearlyDate()
      if isAhead { label.nextChange = min(label.nextChange ?? .distantFuture, end(of: week..<Int64.max)) }
      return label
    }
    let (unit, letter): (Int64, StaticString) =
      switch distance {
      case ..<60_000: (1000, "s")
      case ..<3_600_000: (60_000, "m")
      case ..<86_400_000: (3_600_000, "h")
      default: (86_400_000, "d")
      }
    let count = distance / unit
    let range = max(count * unit, shortest)..<(count + 1) * unit
    return Label(text: isAhead ? "in \(count)\(letter)" : "\(count)\(letter)", nextChange: end(of: range))
  }

  /// "Mar 3", or with the year if it is not the year it is now.
  func yearlyDate() -> Label {
    let date = zone.civilDate(at: instant)
    let today = zone.civilDate(at: now)
    let next: CivilDate? =
      if today.year < date.year {
        CivilDate(year: date.year, month: 1, day: 1)
      } else if today.year == date.year {
        CivilDate(year: date.year + 1, month: 1, day: 1)
      } else {
        nil
      }
    let newYear = CivilDate(year: today.year, month: 1, day: 1)!
    return Label(
      text: English.date(date, withYear: today.year != date.year), nextChange: end(ofDaysFrom: newYear, until: next, today: today))
  }
}
