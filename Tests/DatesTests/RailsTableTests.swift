@testable import Dates
import TestSupport
import Testing

/// The complete table of Rails' `distance_of_time_in_words`, and a second implementation of its arithmetic.
@Suite("Boundaries of labels in words match Rails")
struct RailsTableTests {
  private static let minute: Int64 = 60_000
  private static let halfMinute: Int64 = 30_000
  private static let day = 1440 * minute

  /// The words for distances below a year, with the shortest distance in milliseconds for each; ascending.
  private static let table: [(words: String, from: Int64)] = {
    var rows: [(String, Int64)] = [("less than a minute", 0), ("1 minute", 1)]
    for count in 2...44 { rows.append(("\(count) minutes", Int64(count))) }
    rows.append(("about 1 hour", 45))
    for count in 2...24 { rows.append(("about \(count) hours", Int64(60 * count - 30))) }
    rows += [("1 day", 1440), ("2 days", 2520)]
    for count in 3...30 { rows.append(("\(count) days", Int64(1440 * count - 720))) }
    rows += [("about 1 month", 43_200), ("about 2 months", 64_800), ("2 months", 86_400)]
    for count in 3...12 { rows.append(("\(count) months", Int64(43_200 * count - 21_600))) }
    return rows.map { ($0.0, max(0, $0.1 * minute - halfMinute)) }
  }()

  @Test("below a year, all 112 rows hold from their first millisecond to their last, past and future")
  func belowAYear() {
    #expect(Self.table.count == 112)
    let post = instant("2004-06-06T21:45:00Z")
    let ends = Self.table.dropFirst().map(\.from) + [365 * Self.day - Self.halfMinute]
    for (row, end) in zip(Self.table, ends) {
      let first = label(
        for: post, now: post.adding(milliseconds: row.from), zone: .utc, style: .words)
      #expect(first == Label(text: "\(row.words) ago", nextChange: post.adding(milliseconds: end)))
      #expect(words(post, post.adding(milliseconds: end - 1)) == "\(row.words) ago")
      guard row.from > Self.halfMinute else { continue }
      let ahead = label(
        for: post, now: post.adding(milliseconds: 1 - end), zone: .utc, style: .words)
      #expect(ahead == Label(text: "in \(row.words)", nextChange: post.adding(milliseconds: 1 - row.from)))
      #expect(words(post, post.adding(milliseconds: -row.from)) == "in \(row.words)")
    }
  }

  /// In years of 365 days, after the subtracted leap days.
  @Test(
    "through 40 years, a quarter of each is about, half over and a quarter almost",
    arguments: ["2004-06-06T21:45:00Z", "2003-03-01T00:00:00Z", "2000-02-29T12:00:00Z"])
  func years(post: String) throws {
    let post = instant(post)
    var now = post.adding(milliseconds: 365 * Self.day - Self.halfMinute)
    let end = post.adding(milliseconds: 40 * 366 * Self.day)
    var said: Set<String> = []
    while now < end {
      let label = label(for: post, now: now, zone: .utc, style: .words)
      #expect(label.text == "\(rails(from: post, to: now, zone: .utc)) ago")
      said.insert(label.text)
      let change = try #require(label.nextChange)
      #expect(change > now && rails(from: post, to: change.adding(milliseconds: -1), zone: .utc) + " ago" == label.text)
      #expect(rails(from: post, to: change, zone: .utc) + " ago" != label.text)
      now = change
    }
    for count in 1...39 {
      let years = count == 1 ? "1 year" : "\(count) years"
      for nearness in ["about", "over"] + (count == 1 ? [] : ["almost"]) {
        #expect(said.contains("\(nearness) \(years) ago"))
      }
    }
  }

  @Test(
    "boundaries on 1 March are right to the millisecond, even with clock changes nearby",
    arguments: triesAllSeeds ? ["2024-03-01", "2025-03-01", "2028-03-01"] : ["2024-03-01"],
    ["UTC", "Pacific/Auckland", "America/New_York"])
  func march(date: String, zoneName: String) throws {
    let zone = try zone(zoneName)
    let march = zone.instant(of: CivilTime(iso8601: Array(date.utf8).span)!)
    var boundaries = Self.table.map(\.from)
    for quarter in 4...17 {
      for leapDays in 0...1 {
        boundaries.append(Int64(quarter) * 365 * Self.day / 4 + Int64(leapDays) * Self.day - Self.halfMinute)
      }
    }
    for boundary in boundaries {
      for shift in [-1, 0, 1] as [Int64] {
        try checkLabel(march.adding(milliseconds: shift - boundary), around: march, zone: zone)
        try checkLabel(march.adding(milliseconds: shift + boundary), around: march, zone: zone)
      }
    }
  }

  /// Follows a label from change to change through the 36 hours before and after an instant, and compares text and
  /// changes with Rails.
  private func checkLabel(_ post: Instant, around middle: Instant, zone: Zone) throws {
    var now = middle.adding(milliseconds: -3 * Self.day / 2)
    let end = middle.adding(milliseconds: 3 * Self.day / 2)
    for at in [-1, 0, 1] {
      #expect(
        words(post, middle.adding(milliseconds: Int64(at)), zone)
          == expected(post, middle.adding(milliseconds: Int64(at)), zone))
    }
    while now < end {
      let label = label(for: post, now: now, zone: zone, style: .words)
      func context() -> Comment { "\(post.iso8601) at \(now.iso8601)" }
      try #require(label.text == expected(post, now, zone), context())
      guard let change = label.nextChange, change < end else {
        #expect(expected(post, end.adding(milliseconds: -1), zone) == label.text, context())
        return
      }
      try #require(change > now, context())
      #expect(expected(post, change.adding(milliseconds: -1), zone) == label.text, context())
      #expect(expected(post, change, zone) != label.text, context())
      now = change
    }
  }

  @Test("labels of random pairs of instants match Rails", arguments: [20_110_131] as [UInt64])
  func randomPairs(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let berlin = try zone("Europe/Berlin")
    for _ in 0..<10_000 {
      let post = Instant(milliseconds: .random(in: -2_000_000_000_000...3_000_000_000_000, using: &random))
      let distance = Int64.random(in: 0...(1 << Int64.random(in: 8...40, using: &random)), using: &random)
      let now = post.adding(milliseconds: distance)
      #expect(words(post, now, berlin) == "\(rails(from: post, to: now, zone: berlin)) ago", "seed \(seed)")
    }
  }

  private func words(_ post: Instant, _ now: Instant, _ zone: Zone = .utc) -> String {
    label(for: post, now: now, zone: zone, style: .words).text
  }

  /// Returns the expected label: Rails' arithmetic, and now for up to 30 seconds ahead.
  private func expected(_ post: Instant, _ now: Instant, _ zone: Zone) -> String {
    if post <= now { return rails(from: post, to: now, zone: zone) + " ago" }
    if post.milliseconds - now.milliseconds <= Self.halfMinute { return "now" }
    return "in " + rails(from: now, to: post, zone: zone)
  }

  /// Implements the Ruby method line by line, rounding halves up.
  private func rails(from: Instant, to: Instant, zone: Zone) -> String {
    let minutes = Int(((Double(to.milliseconds - from.milliseconds) / 1000) / 60).rounded(.toNearestOrAwayFromZero))
    func rounded(_ unit: Double) -> Int { Int((Double(minutes) / unit).rounded(.toNearestOrAwayFromZero)) }
    func some(_ count: Int, _ unit: String) -> String { count == 1 ? "1 \(unit)" : "\(count) \(unit)s" }
    switch minutes {
    case 0: return "less than a minute"
    case 1: return "1 minute"
    case 2..<45: return some(minutes, "minute")
    case 45..<90: return "about 1 hour"
    case 90..<1440: return "about " + some(rounded(60), "hour")
    case 1440..<2520: return "1 day"
    case 2520..<43_200: return some(rounded(1440), "day")
    case 43_200..<86_400: return "about " + some(rounded(43_200), "month")
    case 86_400..<525_600: return some(rounded(43_200), "month")
    default: break
    }
    let (first, last) = (zone.civilDate(at: from), zone.civilDate(at: to))
    let fromYear = first.month >= 3 ? first.year + 1 : first.year
    let toYear = last.month < 3 ? last.year - 1 : last.year
    let leaps = fromYear > toYear ? 0 : (fromYear...toYear).count { CivilDate(year: $0, month: 2, day: 29) != nil }
    let discounted = minutes - leaps * 1440
    let (years, rest) = discounted.quotientAndRemainder(dividingBy: 525_600)
    if rest < 131_400 { return "about " + some(years, "year") }
    if rest < 394_200 { return "over " + some(years, "year") }
    return "almost " + some(years + 1, "year")
  }
}
