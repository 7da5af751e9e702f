/// The form in which the time of a post is written.
public enum LabelStyle: Hashable, Sendable {
  /// Rails' `distance_of_time_in_words` with "ago" or "in": "about 2 hours ago" (docs/BEHAVIOUR.md, rule 23).
  /// Languages other than English round the same distances to the unit: "vor 2 Stunden".
  case words
  /// "now", "12s", "5m", "3h", "2d", then "Mar 3", in another year "Mar 3, 2024" (docs/BEHAVIOUR.md, rule 24).
  case veryShort
  /// "3/3/24" (docs/BEHAVIOUR.md, rule 24).
  case short
  /// Date and time in full: "Sunday, March 3, 2024 at 2:05:06 PM" (docs/BEHAVIOUR.md, rule 24).
  case long
  /// The sliding clock: "2:05 PM" today, "Yesterday", "Friday" within six days, "Mar 3" this year, "Mar 3, 2024" before
  /// it (docs/BEHAVIOUR.md, rule 31).
  case clock
  /// A day separator: "Today", then like the clock.
  case day
  /// "2:05 PM" on any day.
  case time
  /// Under a day separator: very short within the last hour of today, otherwise like ``time`` (docs/BEHAVIOUR.md,
  /// rule 27).
  case withinDay
}

/// The text for an instant, with the time of its next change.
public struct Label: Hashable, Sendable {
  public var text: String
  /// The first instant at which the text differs; `nil` if it never will.
  public var nextChange: Instant?
}

/// Returns the text at `now` for `instant`, and when that text changes.
///
/// Calendar fields are those of `zone`. Up to 30 seconds ahead is "now" in the styles that count (docs/BEHAVIOUR.md,
/// rule 26). A text can come back, because the words for years are not monotone in age (rule 23). The next change is
/// therefore that of the text at `now` only; ask again then.
public func label(for instant: Instant, now: Instant, zone: Zone, style: LabelStyle, locale: Locale = .english) -> Label
{
  let (wording, nextChange) = wording(for: instant, now: now, zone: zone, style: style, locale: locale)
  return Label(text: wording.text(in: locale), nextChange: nextChange)
}

/// Returns the content of ``label(for:now:zone:style:locale:)`` without making its text, to compare it with an earlier
/// one.
///
/// Does not allocate.
public func wording(
  for instant: Instant, now: Instant, zone: Zone, style: LabelStyle, locale: Locale = .english
) -> (wording: Wording, nextChange: Instant?) {
  var moment = LabelMoment(instant: instant.clamped, now: now.clamped, zone: zone, isEnglish: locale.isEnglish)
  let first = moment.wording(style)
  var change = first.nextChange
  while let candidate = change {
    guard candidate < .distantFuture else { return (first.wording, nil) }
    assert(candidate > moment.now, "a label is right for the instant it is made for")
    moment.now = candidate
    let next = moment.wording(style)
    if next.wording != first.wording { break }
    change = next.nextChange
  }
  return (first.wording, change)
}

/// A wording, and the first instant at which it *may* differ. It is certain before that instant;
/// ``wording(for:now:zone:style:locale:)`` checks from there on.
struct TimedWording {
  var wording: Wording
  var nextChange: Instant?
}

/// An instant seen from another instant in a zone.
struct LabelMoment {
  var instant: Instant
  var now: Instant
  var zone: Zone
  /// True if distances use Rails' words, with about, over and almost.
  var isEnglish: Bool

  var isAhead: Bool { instant > now }
  /// The milliseconds between the two, never negative.
  var distance: Int64 { abs(now.milliseconds - instant.milliseconds) }

  /// The longest distance ahead that still counts as "now", in milliseconds.
  static let longestNow: Int64 = 30_000

  func wording(_ style: LabelStyle) -> TimedWording {
    switch style {
    case .words: words()
    case .veryShort: veryShort()
    case .short: TimedWording(wording: .shortDate(zone.civilDate(at: instant)), nextChange: nil)
    case .long: TimedWording(wording: .dateTime(zone.civilTime(at: instant)), nextChange: nil)
    case .clock: day { .time($0) }
    case .day: day { _ in .today }
    case .time: timeOfDay()
    case .withinDay: withinDay()
    }
  }

  /// Returns the time of day, which never changes.
  func timeOfDay() -> TimedWording { TimedWording(wording: .time(zone.civilTime(at: instant)), nextChange: nil) }

  /// Returns the first instant from `now` on at which the distance is not in `range`.
  func firstInstant(outside range: Range<Int64>) -> Instant {
    isAhead
      ? instant.adding(milliseconds: 1 - max(1, range.lowerBound)) : instant.adding(milliseconds: range.upperBound)
  }

  /// Returns the first instant after `now` at which the calendar may have left the days from `first` to `last`, a
  /// half-open range that contains `today`; without `last` the range has no end. Days are counted from 1970-01-01.
  ///
  /// Clocks set back over midnight return to the day before. Every change of the offset in the first two days therefore
  /// counts.
  func firstInstant(afterDaysFrom first: Int, until last: Int?, today: Int) -> Instant? {
    if today - first < 2 { return approach(today + 1) }
    return last.map { approach($0) }
  }

  /// Returns an instant after `now` before which the day in the zone is not yet `day`, a later day than today, counted
  /// from 1970-01-01.
  ///
  /// This is its midnight by the offset in force, or the next change of offset if that is earlier. If the day is days
  /// ahead, it is two days before, since no clock is that far from UTC.
  func approach(_ day: Int) -> Instant {
    let midnight = Instant(milliseconds: Int64(day) * 86_400_000)
    let safe = midnight.adding(milliseconds: -2 * 86_400_000)
    if safe > now { return safe }
    let local = midnight.adding(milliseconds: -Int64(zone.offset(at: now)) * 1000)
    guard let transition = zone.nextTransition(after: now) else { return local }
    return min(local, transition)
  }
}
