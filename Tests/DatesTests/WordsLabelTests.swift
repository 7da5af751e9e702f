import Dates
import TestSupport
import Testing

@Suite("Labels in words match Rails' distance_of_time_in_words")
struct WordsLabelTests {
  private static let second: Int64 = 1000
  private static let minute: Int64 = 60 * second
  private static let hour: Int64 = 60 * minute
  private static let day: Int64 = 24 * hour

  /// The assertions of Rails' own test, and both sides of every boundary, to the millisecond.
  @Test(
    "below a year, the words depend only on the distance",
    arguments: [
      (0, "less than a minute"), (29 * second, "less than a minute"), (30 * second - 1, "less than a minute"),
      (30 * second, "1 minute"), (minute + 29 * second, "1 minute"), (90 * second - 1, "1 minute"),
      (90 * second, "2 minutes"),
      (44 * minute + 29 * second, "44 minutes"), (44 * minute + 30 * second - 1, "44 minutes"),
      (44 * minute + 30 * second, "about 1 hour"), (5370 * second - 1, "about 1 hour"),
      (5370 * second, "about 2 hours"),
      (89 * minute + 29 * second, "about 1 hour"), (89 * minute + 30 * second, "about 2 hours"),
      (149 * minute + 30 * second - 1, "about 2 hours"), (149 * minute + 30 * second, "about 3 hours"),
      (23 * hour + 59 * minute + 29 * second, "about 24 hours"), (23 * hour + 59 * minute + 30 * second, "1 day"),
      (41 * hour + 59 * minute + 29 * second, "1 day"), (41 * hour + 59 * minute + 30 * second, "2 days"),
      (2 * day + 11 * hour + 59 * minute + 29 * second, "2 days"),
      (2 * day + 11 * hour + 59 * minute + 30 * second, "3 days"),
      (29 * day + 11 * hour + 59 * minute + 29 * second, "29 days"),
      (29 * day + 11 * hour + 59 * minute + 30 * second, "30 days"),
      (29 * day + 23 * hour + 59 * minute + 29 * second, "30 days"),
      (29 * day + 23 * hour + 59 * minute + 30 * second, "about 1 month"),
      (44 * day + 23 * hour + 59 * minute + 29 * second, "about 1 month"),
      (44 * day + 23 * hour + 59 * minute + 30 * second, "about 2 months"),
      (59 * day + 23 * hour + 59 * minute + 29 * second, "about 2 months"),
      (59 * day + 23 * hour + 59 * minute + 30 * second, "2 months"), (75 * day - 31 * second, "2 months"),
      (75 * day - 30 * second, "3 months"), (365 * day - 31 * second, "12 months"),
    ])
  func distances(distance: Int64, expected: String) {
    let post = instant("2004-06-06T21:45:00Z")
    #expect(words(post, post.adding(milliseconds: distance)) == "\(expected) ago")
    if distance > 30 * Self.second { #expect(words(post.adding(milliseconds: distance), post) == "in \(expected)") }
  }

  /// Rails' own cases, then those of docs/BEHAVIOUR.md, rule 23, then leap days.
  @Test(
    "years are rounded by quarters after subtracting leap days",
    arguments: [
      ("2004-06-06T21:45:00Z", "2005-06-06T21:44:30Z", "about 1 year"),
      ("2004-06-06T21:45:00Z", "2005-09-05T21:45:00Z", "about 1 year"),
      ("2004-06-06T21:45:00Z", "2005-12-06T21:45:00Z", "over 1 year"),
      ("2004-06-06T21:45:00Z", "2006-03-07T21:45:00Z", "almost 2 years"),
      ("2004-06-06T21:45:00Z", "2006-09-05T21:45:00Z", "about 2 years"),
      ("2004-06-06T21:45:00Z", "2006-09-07T21:45:00Z", "over 2 years"),
      ("2004-06-06T21:45:00Z", "2007-03-05T21:45:00Z", "over 2 years"),
      ("2004-06-06T21:45:00Z", "2007-03-07T21:45:00Z", "almost 3 years"),
      ("2004-06-06T21:45:00Z", "2009-03-07T21:45:00Z", "almost 5 years"),
      ("2004-06-06T21:45:00Z", "2009-09-05T21:45:00Z", "about 5 years"),
      ("2004-06-06T21:45:00Z", "2009-09-07T21:45:00Z", "over 5 years"),
      ("2004-06-06T21:45:00Z", "2010-03-05T21:45:00Z", "over 5 years"),
      ("2004-06-06T21:45:00Z", "2010-03-07T21:45:00Z", "almost 6 years"),
      ("2004-06-06T21:45:00Z", "2014-03-07T21:45:00Z", "almost 10 years"),
      ("2004-06-06T21:45:00Z", "2014-09-05T21:45:00Z", "about 10 years"),
      ("2004-06-06T21:45:00Z", "2014-09-07T21:45:00Z", "over 10 years"),
      ("2004-06-06T21:45:00Z", "2015-03-05T21:45:00Z", "over 10 years"),
      ("2004-06-06T21:45:00Z", "2015-03-07T21:45:00Z", "almost 11 years"),
      ("1975-01-31T00:00:00Z", "1977-01-31T00:00:00Z", "about 2 years"),
      ("1982-12-03T00:00:00Z", "2010-11-30T00:00:00Z", "almost 28 years"),
      ("1970-01-01T00:00:00Z", "1973-03-03T09:46:40Z", "about 3 years"),
      ("1982-11-03T21:45:30Z", "2010-11-03T21:45:30Z", "about 28 years"),
      ("1920-01-01T00:00:00Z", "2000-01-01T00:00:00Z", "about 80 years"),
      ("2011-01-01T00:00:00Z", "2011-12-31T23:59:30Z", "about 1 year"),
      ("2011-01-01T00:00:00Z", "2011-12-31T23:59:29Z", "12 months"),
      ("2024-02-29T23:59:00Z", "2025-03-01T00:00:00Z", "almost 1 year"),
      ("2024-03-01T00:00:00Z", "2025-03-01T00:00:00Z", "about 1 year"),
      ("2026-11-30T00:00:00Z", "2028-02-29T23:59:00Z", "over 1 year"),
      ("2026-11-30T00:00:00Z", "2028-03-01T00:00:00Z", "about 1 year"),
      ("2023-03-01T00:00:00Z", "2024-02-29T00:00:00Z", "about 1 year"),
      ("2023-03-01T00:00:00Z", "2024-03-01T00:00:00Z", "about 1 year"),
      ("2023-03-05T00:00:00Z", "2024-03-04T00:00:00Z", "almost 1 year"),
    ])
  func years(post: String, now: String, expected: String) {
    #expect(words(instant(post), instant(now)) == "\(expected) ago")
    #expect(words(instant(now), instant(post)) == "in \(expected)")
  }

  @Test("leap days are those of the viewer's zone")
  func zones() throws {
    let auckland = try zone("Pacific/Auckland")
    let post = instant("2024-02-29T12:00:00Z")
    let now = instant("2025-03-01T00:00:00Z")
    #expect(words(post, now) == "almost 1 year ago")
    #expect(words(post, now, auckland) == "about 1 year ago", "in Auckland the post is from 1 March")
  }

  @Test(
    "up to 30 seconds ahead is now",
    arguments: [(1, "now"), (30_000, "now"), (30_001, "in 1 minute"), (300_000, "in 5 minutes")] as [(Int64, String)])
  func ahead(distance: Int64, expected: String) {
    let now = instant("2024-06-06T21:45:00Z")
    #expect(words(now.adding(milliseconds: distance), now) == expected)
  }

  private func words(_ post: Instant, _ now: Instant, _ zone: Zone = .utc) -> String {
    label(for: post, now: now, zone: zone, style: .words).text
  }
}
