import Dates
import TestSupport
import Testing

/// All label styles.
let labelStyles: [LabelStyle] = [
  .words, .veryShort, .short, .long, .clock, .day, .withinDay,
]

/// Returns a random instant: any, or one within hours of a clock change, of 1 March or of the new year.
func delicateInstant(in zone: Zone, using random: inout SeededGenerator) -> Instant {
  let any = Instant(milliseconds: .random(in: 500_000_000_000...2_000_000_000_000, using: &random))
  let near = Int64.random(in: -90_000_000...90_000_000, using: &random)
  let year = zone.civilDate(at: any).year
  switch Int.random(in: 0..<4, using: &random) {
  case 0: return zone.nextTransition(after: any)?.adding(milliseconds: near / 10) ?? any
  case 1:
    return Instant(milliseconds: Int64(CivilDate(year: year, month: 3, day: 1)!.daysSinceEpoch) * 86_400_000 + near)
  case 2:
    return Instant(milliseconds: Int64(CivilDate(year: year, month: 1, day: 1)!.daysSinceEpoch) * 86_400_000 + near)
  default: return any
  }
}

/// Checks a label: its text is the same from `now` until the next change, also at random instants in between, and
/// differs at the change. Wordings are equal exactly if texts are.
func checkChange(
  of post: Instant, now: Instant, zone: Zone, style: LabelStyle, locale: Locale, seed: UInt64,
  using random: inout SeededGenerator
) throws {
  let found = label(for: post, now: now, zone: zone, style: style, locale: locale)
  let end = found.nextChange ?? now.adding(milliseconds: 300_000_000_000)
  let context = Comment(
    "seed \(seed): \(locale) \(style) for \(post.iso8601) at \(now.iso8601), next \(found.nextChange?.iso8601 ?? "never")"
  )
  try #require(end > now, context)
  let said = wording(for: post, now: now, zone: zone, style: style, locale: locale)
  #expect(said.nextChange == found.nextChange, context)
  #expect(said.wording.text(in: locale) == found.text, context)
  func isSame(_ at: Instant) -> Bool {
    let text = label(for: post, now: at, zone: zone, style: style, locale: locale).text
    let wording = wording(for: post, now: at, zone: zone, style: style, locale: locale).wording
    #expect((wording == said.wording) == (text == found.text), context)
    return text == found.text
  }
  #expect(isSame(end.adding(milliseconds: -1)), context)
  if found.nextChange != nil { #expect(!isSame(end), context) }
  for _ in 0..<4 {
    #expect(isSame(Instant(milliseconds: .random(in: now.milliseconds..<end.milliseconds, using: &random))), context)
  }
}
