extension LabelMoment {
  /// Returns the label in words (docs/BEHAVIOUR.md, rule 23); slightly ahead counts as now (rule 26).
  ///
  /// Languages other than English have words for neither "less than" nor "about". In them the same distances are
  /// rounded to the unit, years to the nearest, and less than a minute is now.
  func words() -> TimedWording {
    let now = Wording.now(isNarrow: false)
    if isAhead && distance <= Self.longestNow {
      return TimedWording(wording: now, nextChange: firstInstant(outside: 0..<Self.longestNow + 1))
    }
    let minutes = (distance + 30_000) / 60_000
    let phrase = minutes < Self.year ? phrase(minutes: minutes) : yearsPhrase(minutes: minutes)
    let shortest = isAhead ? Self.longestNow + 1 : 0
    var change = firstInstant(outside: max(shortest, phrase.distances.lowerBound)..<phrase.distances.upperBound)
    if let calendarEnd = phrase.calendarEnd { change = min(change, calendarEnd) }
    let time = RelativeTime(
      count: phrase.count, unit: phrase.unit, nearness: isEnglish ? phrase.nearness : .exactly, isAhead: isAhead)
    return TimedWording(wording: phrase.count == 0 ? now : .relative(time), nextChange: change)
  }

  /// A count, and the distances in milliseconds for which it holds. A count of 0 is now.
  ///
  /// For years, `calendarEnd` is the instant from which the number of leap days in between may differ.
  private struct Phrase {
    var count: Int64
    var unit: TimeUnit
    var nearness: RelativeTime.Nearness
    var distances: Range<Int64>
    var calendarEnd: Instant?

    init(_ nearness: RelativeTime.Nearness, _ count: Int64, _ unit: TimeUnit, distances: Range<Int64>) {
      self.count = count
      self.unit = unit
      self.nearness = nearness
      self.distances = distances
    }

    /// Creates a phrase for the distances that round to `minutes`.
    init(_ nearness: RelativeTime.Nearness, _ count: Int64, _ unit: TimeUnit, minutes: Range<Int64>) {
      self.init(
        nearness, count, unit, distances: minutes.lowerBound * 60_000 - 30_000..<minutes.upperBound * 60_000 - 30_000)
    }
  }

  // Lengths in minutes.
  private static let hour: Int64 = 60
  private static let day: Int64 = 1440
  private static let month: Int64 = 43_200
  private static let year: Int64 = 525_600

  private func phrase(minutes: Int64) -> Phrase {
    switch minutes {
    case 0: Phrase(.lessThan, isEnglish ? 1 : 0, .minute, minutes: 0..<1)
    case ..<45: Phrase(.exactly, minutes, .minute, minutes: minutes..<minutes + 1)
    case ..<90: Phrase(.about, 1, .hour, minutes: 45..<90)
    case ..<Self.day: rounded(.about, minutes, to: Self.hour, .hour, within: 90..<Self.day)
    case ..<2520: Phrase(.exactly, 1, .day, minutes: Self.day..<2520)
    case ..<Self.month: rounded(.exactly, minutes, to: Self.day, .day, within: 2520..<Self.month)
    case ..<(2 * Self.month): rounded(.about, minutes, to: Self.month, .month, within: Self.month..<2 * Self.month)
    default: rounded(.exactly, minutes, to: Self.month, .month, within: 2 * Self.month..<Self.year)
    }
  }

  /// Returns a number of units, rounded half up, for the distances within `bracket` that round to it.
  private func rounded(
    _ nearness: RelativeTime.Nearness, _ minutes: Int64, to length: Int64, _ unit: TimeUnit,
    within bracket: Range<Int64>
  ) -> Phrase {
    let count = (minutes + length / 2) / length
    return Phrase(
      nearness, count, unit, minutes: (count * length - length / 2..<count * length + length / 2).clamped(to: bracket))
  }

  /// Returns about, over or almost a number of years of 365 days, by quarters, after subtracting the leap days in
  /// between; in languages other than English, the nearest number of years.
  private func yearsPhrase(minutes: Int64) -> Phrase {
    let today = zone.civilDate(at: now)
    let other = zone.civilDate(at: instant)
    let (from, to) = isAhead ? (today, other) : (other, today)
    let leapDays = Self.leapYears(
      from: from.month >= 3 ? from.year + 1 : from.year, through: to.month < 3 ? to.year - 1 : to.year)
    let offset = Int64(leapDays) * Self.day
    let (years, rest) = (minutes - offset).quotientAndRemainder(dividingBy: Self.year)
    let start = years * Self.year + offset
    let quarter = Self.year / 4
    var phrase =
      switch rest / quarter {
      case 0: Phrase(.about, years, .year, minutes: max(start, Self.year)..<start + quarter)
      case 1 where !isEnglish: Phrase(.over, years, .year, minutes: start + quarter..<start + 2 * quarter)
      case 2 where !isEnglish: Phrase(.almost, years + 1, .year, minutes: start + 2 * quarter..<start + 3 * quarter)
      case 1, 2: Phrase(.over, years, .year, minutes: start + quarter..<start + 3 * quarter)
      default: Phrase(.almost, years + 1, .year, minutes: max(start + 3 * quarter, Self.year)..<start + Self.year)
      }
    let year = today.month >= 3 ? today.year : today.year - 1
    func march(of year: Int) -> Int { GregorianCalendar.firstDay(ofMonth: 3, of: year) }
    phrase.calendarEnd = firstInstant(
      afterDaysFrom: march(of: year), until: march(of: year + 1), today: today.daysSinceEpoch)
    return phrase
  }

  /// Returns the number of leap years in a range that may be empty.
  private static func leapYears(from first: Int, through last: Int) -> Int {
    guard first <= last else { return 0 }
    return leapYears(until: last + 1) - leapYears(until: first)
  }

  /// Returns the number of leap years before `year`, counted from a fixed year in the distant past.
  private static func leapYears(until year: Int) -> Int {
    let shifted = year - 1 + 400_000
    return shifted / 4 - shifted / 100 + shifted / 400
  }
}
