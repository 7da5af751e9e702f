/// How the time of a post is put into words.
public enum LabelStyle: Hashable, Sendable {
  /// Rails' `distance_of_time_in_words` with "ago" or "in": "about 2 hours ago" (rule 23); on request with words for
  /// seconds. In other languages than English the same distances, rounded to the unit: "vor 2 Stunden".
  case words(includingSeconds: Bool)
  /// "now", "12s", "5m", "3h", "2d", then "Mar 3", in another year "Mar 3, 2024" (rule 24).
  case veryShort
  /// "3/3/24" (rule 24).
  case short
  /// Date and time in full: "Sunday, March 3, 2024 at 2:05:06 PM" (rule 24).
  case long
  /// What the sliding clock says: "2:05 PM" today, "Yesterday", "Friday" within six days, "Mar 3" this year, "Mar 3,
  /// 2024" before it (rule 31).
  case clock
  /// What a separator of days says: "Today", then as the clock.
  case day
  /// "2:05 PM", whatever the day.
  case time
}

/// The text for an instant, and until when it is the right one.
public struct Label: Hashable, Sendable {
  public var text: String
  /// The first instant at which the text is another one; `nil` if it never will be.
  public var nextChange: Instant?
}

/// What to say at `now` about `instant`, and when that changes.
///
/// Calendar fields are those of `zone`. Up to 30 seconds ahead is "now" in the styles that count (rule 26). A text can
/// come back (rule 23: the words for years are not monotone in age), so the next change is that of the text at `now`
/// alone: ask again then.
public func label(for instant: Instant, now: Instant, zone: Zone, style: LabelStyle, locale: Locale = .english) -> Label
{
  let (wording, nextChange) = wording(for: instant, now: now, zone: zone, style: style, locale: locale)
  return Label(text: wording.text(in: locale), nextChange: nextChange)
}

/// What ``label(for:now:zone:style:locale:)`` says, without making a text of it: to compare it with what was said
/// before.
///
/// Allocates nothing.
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

/// A wording, and the first instant at which it *may* be another one: all before it is certain, and
/// ``wording(for:now:zone:style:locale:)`` finds out about the rest.
struct TimedWording {
  var wording: Wording
  var nextChange: Instant?
}

/// An instant as it looks from another one, in a zone. The styles are in files of their own.
struct LabelMoment {
  var instant: Instant
  var now: Instant
  var zone: Zone
  /// Whether it is Rails' words that are said, with their about, over and almost.
  var isEnglish: Bool

  var isAhead: Bool { instant > now }
  /// Milliseconds between the two, never negative.
  var distance: Int64 { abs(now.milliseconds - instant.milliseconds) }

  /// The longest distance ahead that is still "now", in milliseconds.
  static let longestNow: Int64 = 30_000

  func wording(_ style: LabelStyle) -> TimedWording {
    switch style {
    case .words(let includingSeconds): words(includingSeconds: includingSeconds)
    case .veryShort: veryShort()
    case .short: TimedWording(wording: .shortDate(zone.civilDate(at: instant)), nextChange: nil)
    case .long: TimedWording(wording: .dateTime(zone.civilTime(at: instant)), nextChange: nil)
    case .clock: day { .time($0) }
    case .day: day { _ in .today }
    case .time: TimedWording(wording: .time(zone.civilTime(at: instant)), nextChange: nil)
    }
  }

  /// The first instant from `now` on at which the distance is not in `range`.
  func firstInstant(outside range: Range<Int64>) -> Instant {
    isAhead
      ? instant.adding(milliseconds: 1 - max(1, range.lowerBound)) : instant.adding(milliseconds: range.upperBound)
  }

  /// The first instant after `now` at which the calendar may have left the days from `first` until `last`, half-open,
  /// between which `today` is; without a last day they have no end.
  ///
  /// Clocks set back over midnight return to the day before, so for two days from the first on every change of the
  /// offset counts.
  func firstInstant(afterDaysFrom first: CivilDate, until last: CivilDate?, today: CivilDate) -> Instant? {
    if today.daysSinceEpoch - first.daysSinceEpoch < 2 { return approach(today.adding(days: 1)) }
    return last.map { approach($0) }
  }

  /// An instant after `now` up to which it is not `date`, a later day than today, in the zone: its midnight by the
  /// offset in force or the change of that; if it is days ahead, two days before, since no clock is that far from UTC.
  func approach(_ date: CivilDate) -> Instant {
    let midnight = Instant(milliseconds: Int64(date.daysSinceEpoch) * 86_400_000)
    let safe = midnight.adding(milliseconds: -2 * 86_400_000)
    if safe > now { return safe }
    let local = midnight.adding(milliseconds: -Int64(zone.offset(at: now)) * 1000)
    guard let transition = zone.nextTransition(after: now) else { return local }
    return min(local, transition)
  }
}
