@testable import Dates
import TestSupport
import Testing

@Suite("Labels")
struct LabelTests {
  @Test(
    "very short: whole elapsed units, then the date",
    arguments: [
      ("2024-06-06T12:00:00Z", "2024-06-06T12:00:00Z", "now"),
      ("2024-06-06T12:00:00Z", "2024-06-06T12:00:09.999Z", "now"),
      ("2024-06-06T12:00:00Z", "2024-06-06T12:00:10Z", "10s"),
      ("2024-06-06T12:00:00Z", "2024-06-06T12:00:59.999Z", "59s"),
      ("2024-06-06T12:00:00Z", "2024-06-06T12:01:00Z", "1m"),
      ("2024-06-06T12:00:00Z", "2024-06-06T12:59:59.999Z", "59m"),
      ("2024-06-06T12:00:00Z", "2024-06-06T13:00:00Z", "1h"),
      ("2024-06-06T12:00:00Z", "2024-06-07T11:59:59.999Z", "23h"),
      ("2024-06-06T12:00:00Z", "2024-06-07T12:00:00Z", "1d"),
      ("2024-06-06T12:00:00Z", "2024-06-13T11:59:59.999Z", "6d"),
      ("2024-06-06T12:00:00Z", "2024-06-13T12:00:00Z", "Jun 6"),
      ("2024-03-03T12:00:00Z", "2024-12-31T23:59:59.999Z", "Mar 3"),
      ("2024-03-03T12:00:00Z", "2025-01-01T00:00:00Z", "Mar 3, 2024"),
      ("2024-12-30T12:00:00Z", "2025-01-01T00:00:00Z", "1d"),
      ("2024-06-06T12:00:30Z", "2024-06-06T12:00:00Z", "now"),
      ("2024-06-06T12:00:30.001Z", "2024-06-06T12:00:00Z", "in 30s"),
      ("2024-06-06T12:05:00Z", "2024-06-06T12:00:00Z", "in 5m"),
      ("2024-06-08T12:00:00Z", "2024-06-06T12:00:00Z", "in 2d"),
      ("2024-06-13T12:00:00Z", "2024-06-06T12:00:00Z", "Jun 13"),
      ("2025-06-13T12:00:00Z", "2024-06-06T12:00:00Z", "Jun 13, 2025"),
    ])
  func veryShort(post: String, now: String, expected: String) {
    #expect(label(for: instant(post), now: instant(now), zone: .utc, style: .veryShort).text == expected)
  }

  @Test(
    "within a day: very short within the hour, then the time of day, which it becomes at midnight",
    arguments: [
      ("2024-06-06T12:00:00Z", "2024-06-06T12:00:09Z", "now"),
      ("2024-06-06T12:00:00Z", "2024-06-06T12:59:59.999Z", "59m"),
      ("2024-06-06T12:00:00Z", "2024-06-06T13:00:00Z", "12:00 PM"),
      ("2024-06-06T00:05:00Z", "2024-06-06T23:59:59Z", "12:05 AM"),
      ("2024-06-06T23:59:58Z", "2024-06-06T23:59:59.999Z", "now"),
      ("2024-06-06T23:59:58Z", "2024-06-07T00:00:00Z", "11:59 PM"),
      ("2024-06-06T13:05:00Z", "2030-01-01T00:00:00Z", "1:05 PM"),
      ("2024-06-06T12:30:00Z", "2024-06-06T12:00:00Z", "in 30m"),
      ("2024-06-06T13:00:00Z", "2024-06-06T12:00:00Z", "1:00 PM"),
      ("2024-06-07T00:10:00Z", "2024-06-06T23:59:59Z", "12:10 AM"),
      ("2024-06-07T00:00:10Z", "2024-06-06T23:59:50Z", "now"),
    ])
  func withinDay(post: String, now: String, expected: String) {
    #expect(label(for: instant(post), now: instant(now), zone: .utc, style: .withinDay).text == expected)
  }

  @Test(
    "short and long: dates in the viewer's zone that never change",
    arguments: [
      ("2014-02-02T23:30:00Z", "UTC", "2/2/14", "Sunday, February 2, 2014 at 11:30:00 PM"),
      ("2014-02-02T23:30:00Z", "Europe/Berlin", "2/3/14", "Monday, February 3, 2014 at 12:30:00 AM"),
      ("2000-12-31T12:05:09.999Z", "UTC", "12/31/00", "Sunday, December 31, 2000 at 12:05:09 PM"),
    ])
  func dates(post: String, name: String, short: String, long: String) throws {
    let zone = try zone(name)
    #expect(
      label(for: instant(post), now: instant(post), zone: zone, style: .short) == Label(text: short, nextChange: nil))
    #expect(
      label(for: instant(post), now: instant(post), zone: zone, style: .long) == Label(text: long, nextChange: nil))
  }

  @Test(
    "clock: time, Yesterday, weekday, month and day, year, by the viewer's days",
    arguments: [
      ("2024-06-06T00:05:00Z", "2024-06-06T23:59:59Z", "UTC", "12:05 AM"),
      ("2024-06-06T13:05:00Z", "2024-06-07T00:00:00Z", "UTC", "Yesterday"),
      ("2024-06-06T13:05:00Z", "2024-06-08T00:00:00Z", "UTC", "Thursday"),
      ("2024-06-06T13:05:00Z", "2024-06-12T23:59:59Z", "UTC", "Thursday"),
      ("2024-06-06T13:05:00Z", "2024-06-13T00:00:00Z", "UTC", "Jun 6"),
      ("2024-06-06T13:05:00Z", "2025-01-01T00:00:00Z", "UTC", "Jun 6, 2024"),
      ("2024-12-31T13:05:00Z", "2025-01-01T00:00:00Z", "UTC", "Yesterday"),
      ("2024-06-07T13:05:00Z", "2024-06-06T00:00:00Z", "UTC", "Jun 7"),
      ("2024-02-29T22:59:59Z", "2024-02-29T23:00:00Z", "Europe/Berlin", "Yesterday"),
      ("2024-03-31T00:30:00Z", "2024-03-31T21:59:59Z", "Europe/Berlin", "1:30 AM"),
      ("2024-03-31T00:30:00Z", "2024-03-31T22:00:00Z", "Europe/Berlin", "Yesterday"),
      ("2011-12-29T12:00:00Z", "2011-12-30T10:00:00Z", "Pacific/Apia", "Thursday"),
    ])
  func clock(post: String, now: String, name: String, expected: String) throws {
    #expect(label(for: instant(post), now: instant(now), zone: try zone(name), style: .clock).text == expected)
  }

  @Test(
    "the next change is the first one",
    arguments: [
      (LabelStyle.words, "2024-06-06T12:00:00Z", "2024-06-06T12:00:00Z", "2024-06-06T12:00:30Z"),
      (.words, "2026-11-30T00:00:00Z", "2028-02-29T23:30:00Z", "2028-03-01T00:00:00Z"),
      (.words, "2026-11-30T00:00:00Z", "2028-03-01T00:00:00Z", "2028-03-01T05:59:30Z"),
      (.veryShort, "2024-06-06T12:00:30Z", "2024-06-06T12:00:10Z", "2024-06-06T12:00:40Z"),
      (.veryShort, "2024-06-06T12:05:00Z", "2024-06-06T12:00:00Z", "2024-06-06T12:00:00.001Z"),
      (.veryShort, "2024-03-03T00:00:00Z", "2024-05-05T00:00:00Z", "2025-01-01T00:00:00Z"),
      (.veryShort, "2024-03-03T00:00:00Z", "2025-05-05T00:00:00Z", nil),
      (.withinDay, "2024-06-06T12:00:00Z", "2024-06-06T12:59:00Z", "2024-06-06T13:00:00Z"),
      (.withinDay, "2024-06-06T23:50:00Z", "2024-06-06T23:59:30Z", "2024-06-07T00:00:00Z"),
      (.withinDay, "2024-06-06T12:00:00Z", "2024-06-06T13:00:00Z", nil),
      (.withinDay, "2024-06-06T13:00:00Z", "2024-06-06T12:00:00Z", "2024-06-06T12:00:00.001Z"),
      (.withinDay, "2024-06-07T00:10:00Z", "2024-06-06T23:58:00Z", "2024-06-07T00:00:00Z"),
      (.clock, "2024-06-06T12:00:00Z", "2024-06-06T12:00:00Z", "2024-06-07T00:00:00Z"),
      (.clock, "2024-06-06T12:00:00Z", "2024-06-09T12:00:00Z", "2024-06-13T00:00:00Z"),
    ] as [(LabelStyle, String, String, String?)])
  func nextChange(style: LabelStyle, post: String, now: String, expected: String?) {
    #expect(label(for: instant(post), now: instant(now), zone: .utc, style: style).nextChange?.iso8601 == expected)
  }

  @Test("when clocks go back over midnight, Yesterday becomes a time again")
  func backOverMidnight() throws {
    let zone = try zone("America/St_Johns")
    let post = instant("2010-11-06T15:00:00Z")
    var found: [String] = []
    var now = post
    for _ in 0..<4 {
      let label = label(for: post, now: now, zone: zone, style: .clock)
      found.append("\(now.iso8601) \(label.text)")
      now = label.nextChange!
    }
    #expect(
      found == [
        "2010-11-06T15:00:00Z 12:30 PM", "2010-11-07T02:30:00Z Yesterday", "2010-11-07T02:31:00Z 12:30 PM",
        "2010-11-07T03:30:00Z Yesterday",
      ])
  }

  @Test(
    "labels follow clocks that go back over midnight of a new year, of 1 March or of any day",
    arguments: [
      "2024-12-31T23:30:00Z", "2025-01-01T00:00:00Z", "2025-01-01T00:30:00Z", "2028-03-01T00:30:00Z",
      "2025-03-01T01:00:00Z",
    ],
    triesAllSeeds ? [1800, 3600, 86_400] : [3600])
  func backOverAnyMidnight(at time: String, seconds: Int32) throws {
    let change = instant(time)
    let zone = Zone(
      transitions: [change.seconds], offsets: [-seconds], initialOffset: 0, ruleStart: change.seconds, rule: nil)
    let minute: Int64 = 60_000
    for age in [
      400, 1500, 2 * 1440, 6 * 1440, 7 * 1440, 200 * 1440, 365 * 1440, 456 * 1440, -300, -2000, -8 * 1440, -200 * 1440,
    ] as [Int64] {
      for style in labelStyles {
        let post = change.adding(milliseconds: -age * minute)
        var now = change.adding(milliseconds: -1441 * minute)
        var current = label(for: post, now: now, zone: zone, style: style)
        while now < change.adding(milliseconds: 3000 * minute) {
          now = now.adding(milliseconds: 10 * minute)
          while let next = current.nextChange, next <= now {
            let label = label(for: post, now: next, zone: zone, style: style)
            #expect(label.text != current.text, "\(style), \(age) minutes, at \(next.iso8601)")
            current = label
          }
          let found = label(for: post, now: now, zone: zone, style: style)
          guard found != current else { continue }
          Issue.record("\(style), \(age) minutes, at \(now.iso8601): \(found), expected \(current)")
          return
        }
      }
    }
  }

  @Test("a label stays the same until its next change and differs then", arguments: [2011] as [UInt64])
  func law(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let zones = try zoneNames.map { try zone($0) }
    for _ in 0..<(triesAllSeeds ? 10_000 : 1_500) {
      let zone = zones.randomElement(using: &random)!
      let style = labelStyles.randomElement(using: &random)!
      let now = delicateInstant(in: zone, using: &random)
      let distance = Int64.random(in: 0...(1 << Int64.random(in: 4...41, using: &random)), using: &random)
      let post = now.adding(milliseconds: Int.random(in: 0..<4, using: &random) == 0 ? distance : -distance)
      try checkChange(of: post, now: now, zone: zone, style: style, locale: .english, seed: seed, using: &random)
    }
  }

  @Test(
    "a day separator is Today, then the same as the clock",
    arguments: [
      ("2024-06-06T00:05:00Z", "2024-06-06T23:59:59Z", "Today"),
      ("2024-06-06T13:05:00Z", "2024-06-07T00:00:00Z", "Yesterday"),
      ("2024-06-06T13:05:00Z", "2024-06-12T23:59:59Z", "Thursday"),
      ("2024-06-06T13:05:00Z", "2024-06-13T00:00:00Z", "Jun 6"),
      ("2024-06-06T13:05:00Z", "2025-01-01T00:00:00Z", "Jun 6, 2024"),
      ("2024-06-07T13:05:00Z", "2024-06-06T00:00:00Z", "Jun 7"),
    ])
  func day(post: String, now: String, expected: String) {
    #expect(label(for: instant(post), now: instant(now), zone: .utc, style: .day).text == expected)
  }

  @Test(
    "the most distant instants neither overflow nor loop",
    arguments: [Int64.min, -8_640_000_000_000_000, 0, 8_640_000_000_000_000, .max])
  func extremes(now: Int64) throws {
    let zone = try zone("Europe/Berlin")
    for post in [Int64.min, 0, 1_718_000_000_000, .max] {
      for style in labelStyles {
        let found = label(for: Instant(milliseconds: post), now: Instant(milliseconds: now), zone: zone, style: style)
        #expect(!found.text.isEmpty)
      }
    }
  }
}
