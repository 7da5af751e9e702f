extension LabelMoment {
  /// Returns the very short label (docs/BEHAVIOUR.md, rule 24): whole units that have passed, so that 60s, 60m, 24h and
  /// 7d never appear; from a week on, the date.
  func veryShort() -> TimedWording {
    let shortest = isAhead ? Self.longestNow + 1 : 10_000
    guard distance >= shortest else {
      return TimedWording(wording: .now(isNarrow: true), nextChange: firstInstant(outside: 0..<shortest))
    }
    let week: Int64 = 7 * 86_400_000
    guard distance < week else {
      var timed = yearlyDate()
      if isAhead { timed.nextChange = min(timed.nextChange ?? .distantFuture, firstInstant(outside: week..<Int64.max)) }
      return timed
    }
    let (milliseconds, unit): (Int64, TimeUnit) =
      switch distance {
      case ..<60_000: (1000, .second)
      case ..<3_600_000: (60_000, .minute)
      case ..<86_400_000: (3_600_000, .hour)
      default: (86_400_000, .day)
      }
    let count = distance / milliseconds
    let range = max(count * milliseconds, shortest)..<(count + 1) * milliseconds
    let time = RelativeTime(count: count, unit: unit, isAhead: isAhead, isNarrow: true)
    return TimedWording(wording: .relative(time), nextChange: firstInstant(outside: range))
  }

  /// Returns "Mar 3", with the year unless it is the current one.
  func yearlyDate() -> TimedWording {
    let date = zone.civilDate(at: instant)
    let today = zone.civilDate(at: now)
    let nextYear: Int? =
      if today.year < date.year {
        date.year
      } else if today.year == date.year {
        date.year + 1
      } else {
        nil
      }
    func newYear(of year: Int) -> Int { GregorianCalendar.firstDay(ofMonth: 1, of: year) }
    return TimedWording(
      wording: .date(date, withYear: today.year != date.year),
      nextChange: firstInstant(
        afterDaysFrom: newYear(of: today.year), until: nextYear.map(newYear), today: today.daysSinceEpoch))
  }
}
