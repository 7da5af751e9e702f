extension LabelMoment {
  /// Rule 23, after the rule 26 that a little ahead is now.
  func words(includingSeconds: Bool) -> Label {
    if isAhead && distance <= Self.longestNow { return Label(text: "now", nextChange: end(of: 0..<Self.longestNow + 1)) }
    let minutes = (distance + 30_000) / 60_000
    let phrase =
      if includingSeconds && minutes <= 1 {
        secondsPhrase()
      } else if minutes < Self.year {
        Self.phrase(minutes: minutes)
      } else {
        yearsPhrase(minutes: minutes)
      }
    let shortest = isAhead ? Self.longestNow + 1 : 0
    var change = end(of: max(shortest, phrase.distances.lowerBound)..<phrase.distances.upperBound)
    if let calendarEnd = phrase.calendarEnd { change = min(change, calendarEnd) }
    return Label(text: isAhead ? "in \(phrase.text)" : "\(phrase.text) ago", nextChange: change)
  }

  /// Words and the distances, in milliseconds, for which they hold; with years also the instant from which the leap days between
  /// the two may be more or fewer.
  private struct Phrase {
    var text: String
    var distances: Range<Int64>
    var calendarEnd: Instant?

    init(_ text: String, distances: Range<Int64>) {
      self.text = text
      self.distances = distances
    }

    /// Distances that round to these minutes.
    init(_ text: String, minutes: Range<Int64>) {
      self.init(text, distances: minutes.lowerBound * 60_000 - 30_000..<minutes.upperBound * 60_000 - 30_000)
    }

    /// Distances that round to these seconds.
    init(_ text: String, seconds: Range<Int64>) {
      self.init(text, distances: seconds.lowerBound * 1000 - 500..<seconds.upperBound * 1000 - 500)
    }
  }

  // Minutes.
  private static let hour: Int64 = 60
  private static let day: Int64 = 1440
  private static let month: Int64 = 43_200
  private static let year: Int64 = 525_600

  private func secondsPhrase() -> Phrase {
    switch (distance + 500) / 1000 {
    case ..<5: Phrase("less than 5 seconds", seconds: 0..<5)
    case ..<10: Phrase("less than 10 seconds", seconds: 5..<10)
    case ..<20: Phrase("less than 20 seconds", seconds: 10..<20)
    case ..<40: Phrase("half a minute", seconds: 20..<40)
    case ..<60: Phrase("less than a minute", seconds: 40..<60)
    default: Phrase("1 minute", distances: 59_500..<90_000)
    }
  }

  private static func phrase(minutes: Int64) -> Phrase {
    switch minutes {
    case 0: Phrase("less than a minute", minutes: 0..<1)
    case ..<45: Phrase(English.count(minutes, "minute"), minutes: minutes..<minutes + 1)
    case ..<90: Phrase("about 1 hour", minutes: 45..<90)
    case ..<day: rounded(minutes, to: hour, named: "hour", within: 90..<day, about: true)
    case ..<2520: Phrase("1 day", minutes: day..<2520)
    case ..<month: rounded(minutes, to: day, named: "day", within: 2520..<month, about: false)
    case ..<(2 * month): rounded(minutes, to: month, named: "month", within: month..<2 * month, about: true)
    default: rounded(minutes, to: month, named: "month", within: 2 * month..<year, about: false)
    }
  }

  /// So many units, rounded half up, as long as the words stay the same within `bracket`.
  private static func rounded(
    _ minutes: Int64, to unit: Int64, named name: StaticString, within bracket: Range<Int64>, about: Bool
  ) -> Phrase {
    let count = (minutes + unit / 2) / unit
    let words = English.count(count, name)
    return Phrase(
      about ? "about \(words)" : words,
      minutes: (count * unit - unit / 2..<count * unit + unit / 2).clamped(to: bracket))
  }

  /// About, over or almost so many years of 365 days, by quarters, the leap days in between taken out.
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
      if rest < quarter {
        Phrase("about \(English.count(years, "year"))", minutes: max(start, Self.year)..<start + quarter)
      } else if rest < 3 * quarter {
        Phrase("over \(English.count(years, "year"))", minutes: start + quarter..<start + 3 * quarter)
      } else {
        Phrase("almost \(English.count(years + 1, "year"))", minutes: max(start + 3 * quarter, Self.year)..<start + Self.year)
      }
    let march = CivilDate(year: today.month >= 3 ? today.year : today.year - 1, month: 3, day: 1)!
    phrase.calendarEnd = end(
      ofDaysFrom: march, until: CivilDate(year: march.year + 1, month: 3, day: 1)!, today: today)
    return phrase
  }

  /// The number of leap years in a range that may be empty.
  private static func leapYears(from first: Int, through last: Int) -> Int {
    guard first <= last else { return 0 }
    return leapYears(until: last + 1) - leapYears(until: first)
  }

  /// Leap years before `year`, counted from some year long ago.
  private static func leapYears(until year: Int) -> Int {
    let shifted = year - 1 + 400_000
    return shifted / 4 - shifted / 100 + shifted / 400
  }
}
