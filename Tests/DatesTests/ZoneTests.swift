@testable import Dates
import TestSupport
import Testing

@Suite("Time zones match the system's zone files")
struct ZoneTests {
  @Test("at 10,800 random instants in 36 zones the offset matches Python's zoneinfo")
  func randomInstants() throws {
    let rows = randomOffsets.split(separator: "\n")
    #expect(rows.count == 36)
    for (place, row) in rows.enumerated() {
      let fields = row.split(separator: " ")
      let zone = try zone(String(fields[0]))
      let end = instant("\(fields[1])-01-01T00:00:00Z").seconds
      let offsets = fields[2].split(separator: ",").map { Int($0)! }
      let letters = Array(fields[3].utf8)
      #expect(letters.count == 300)
      var random = SeededGenerator(seed: UInt64(place))
      for letter in letters {
        let second = Int64(random.next() % UInt64(end))
        #expect(
          zone.offset(at: Instant(seconds: second)) == offsets[Int(letter - UInt8(ascii: "a"))],
          "\(fields[0]) \(second)")
      }
    }
  }

  @Test("transitions match Python's zoneinfo to the second")
  func knownChanges() throws {
    let rows = offsetChanges.split(separator: "\n")
    #expect(rows.count == 379)
    for row in rows {
      let fields = row.split(separator: " ")
      let zone = try zone(String(fields[0]))
      let second = Int64(fields[1])!
      #expect(zone.offset(at: Instant(seconds: second - 1)) == Int(fields[2])!, "\(row)")
      #expect(zone.offset(at: Instant(seconds: second)) == Int(fields[3])!, "\(row)")
      #expect(zone.nextTransition(after: Instant(seconds: second - 1)) == Instant(seconds: second), "\(row)")
    }
  }

  @Test("a repeated time is its first instant, a skipped time the transition", arguments: zoneNames)
  func foldsAndGaps(name: String) throws {
    let zone = try zone(name)
    var random = SeededGenerator(seed: 31)
    var now = instant("1970-01-01T00:00:00Z")
    while let transition = zone.nextTransition(after: now), transition < instant("2060-01-01T00:00:00Z") {
      now = transition
      let before = Int64(zone.offset(at: transition.adding(milliseconds: -1))) * 1000
      let after = Int64(zone.offset(at: transition)) * 1000
      for _ in 0..<5 {
        let shown = transition.milliseconds + .random(in: min(before, after)..<max(before, after), using: &random)
        let time = zone.utcTime(shown)
        let expected = before < after ? transition : Instant(milliseconds: shown - before)
        #expect(zone.instant(of: time) == expected, "\(name) \(transition.iso8601)")
        if before > after { #expect(zone.civilTime(at: expected) == time, "\(name) \(transition.iso8601)") }
      }
      #expect(
        zone.instant(of: zone.utcTime(transition.milliseconds + max(before, after)))
          == transition.adding(milliseconds: max(0, before - after)))
      #expect(
        zone.instant(of: zone.utcTime(transition.milliseconds + min(before, after) - 1))
          == Instant(milliseconds: transition.milliseconds + min(before, after) - 1 - before))
    }
  }

  @Test(
    "after the last transition of a file, its rule applies indefinitely",
    arguments: [
      ("Europe/Berlin", "2037-10-25T00:59:59Z", 7200), ("Europe/Berlin", "2037-10-25T01:00:00Z", 3600),
      ("Europe/Berlin", "2038-03-28T00:59:59Z", 3600), ("Europe/Berlin", "2038-03-28T01:00:00Z", 7200),
      ("Europe/Berlin", "2400-07-01T00:00:00Z", 7200), ("Europe/Berlin", "9999-12-31T00:00:00Z", 3600),
      ("America/New_York", "2038-03-14T06:59:59Z", -18_000), ("America/New_York", "2038-03-14T07:00:00Z", -14_400),
      ("Australia/Lord_Howe", "2040-03-31T14:59:59Z", 39_600), ("Australia/Lord_Howe", "2040-03-31T15:00:00Z", 37_800),
      ("Pacific/Chatham", "2050-01-01T00:00:00Z", 49_500), ("Asia/Kolkata", "2100-01-01T00:00:00Z", 19_800),
    ])
  func afterTheLast(name: String, at time: String, offset: Int) throws {
    #expect(try zone(name).offset(at: instant(time)) == offset)
  }

  @Test("the offset changes at transitions and only there", arguments: zoneNames)
  func transitions(name: String) throws {
    let zone = try zone(name)
    var now = instant("1890-01-01T00:00:00Z")
    let end = instant("2060-01-01T00:00:00Z")
    var random = SeededGenerator(seed: 25)
    while let next = zone.nextTransition(after: now), next < end {
      let offset = zone.offset(at: now)
      #expect(next > now)
      #expect(zone.offset(at: next) != offset, "\(name) \(next.iso8601)")
      #expect(zone.offset(at: next.adding(milliseconds: -1)) == offset, "\(name) \(next.iso8601)")
      for _ in 0..<5 {
        let between = Instant(milliseconds: .random(in: now.milliseconds..<next.milliseconds, using: &random))
        #expect(zone.offset(at: between) == offset, "\(name) \(between.iso8601)")
        #expect(zone.nextTransition(after: between) == next, "\(name) \(between.iso8601)")
      }
      now = next
    }
  }

  @Test(
    "POSIX rules give the right offsets",
    arguments: [
      ("UTC0", "2024-07-01T00:00:00Z", 0), ("<+0330>-3:30", "2024-07-01T00:00:00Z", 12_600),
      ("EST5EDT,M3.2.0,M11.1.0", "2024-03-10T06:59:59Z", -18_000),
      ("EST5EDT,M3.2.0,M11.1.0", "2024-03-10T07:00:00Z", -14_400),
      ("EST5EDT,M3.2.0,M11.1.0", "2024-11-03T05:59:59Z", -14_400),
      ("EST5EDT,M3.2.0,M11.1.0", "2024-11-03T06:00:00Z", -18_000),
      ("IST-1GMT0,M10.5.0,M3.5.0/1", "2024-12-31T23:59:59Z", 0),
      ("IST-1GMT0,M10.5.0,M3.5.0/1", "2024-07-01T00:00:00Z", 3600),
      ("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", "2024-03-31T00:59:59Z", -7200),
      ("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", "2024-03-31T01:00:00Z", -3600),
      ("XXX3EDT4,0/0,J365/23", "2024-01-01T00:00:00Z", -14_400),
      ("XXX3EDT4,0/0,J365/23", "2024-12-31T23:59:59Z", -14_400),
      ("AAA-1BBB,J60,300", "2024-03-01T00:59:59Z", 3600), ("AAA-1BBB,J60,300", "2024-03-01T01:00:00Z", 7200),
      ("AAA-1BBB,59,300", "2024-02-29T01:00:00Z", 7200), ("AAA0BBB,M4.4.4/50,M10.4.4/50", "2024-04-27T01:59:59Z", 0),
      ("AAA0BBB,M4.4.4/50,M10.4.4/50", "2024-04-27T02:00:00Z", 3600),
    ])
  func rules(rule: String, at time: String, offset: Int) throws {
    let rule = try #require(PosixRule(Array(rule.utf8)[...]))
    #expect(rule.offset(at: instant(time).seconds) == offset)
  }

  @Test("daylight-saving time that never ends has no transitions")
  func permanent() throws {
    let rule = try #require(PosixRule(Array("XXX3EDT4,0/0,J365/23".utf8)[...]))
    #expect(rule.nextTransition(after: instant("2024-05-05T00:00:00Z").seconds) == nil)
  }

  @Test(
    "malformed rules are refused",
    arguments: [
      "", "E5", "EST", "EST25", "EST5EDT", "EST5EDT,M3.2.0", "EST5EDT,M3.2.0,M11.1.0,", "EST5EDT,M13.2.0,M11.1.0",
      "<EST5",
      "EST5EDT,M3.6.0,M11.1.0", "EST5EDT,M3.2.7,M11.1.0", "EST5EDT,J0,J365", "EST5EDT,0,366", "EST5:60",
      "EST5EDT,0/168,1",
      "EST99999999999999999999",
    ])
  func notRules(text: String) { #expect(PosixRule(Array(text.utf8)[...]) == nil) }

  @Test("damaged files are refused with a reason")
  func damaged() throws {
    let whole = try #require(readFile("/usr/share/zoneinfo/Europe/Berlin"), "install Debian's package tzdata")
    for count in 0..<whole.count {
      #expect(throws: ZoneError.self, "cut after \(count)") { try Zone(tzif: Array(whole[..<count])) }
    }
    #expect(throws: ZoneError.notAZoneFile) { try Zone(tzif: Array("hello, world".utf8)) }
    #expect(throws: ZoneError.countsLeapSeconds) { try zone("Europe/Berlin", from: "right/") }
  }

  @Test("a file with any byte changed is a zone or an error, never a crash", arguments: [1] as [UInt64])
  func mutated(seed: UInt64) throws {
    let whole = try #require(readFile("/usr/share/zoneinfo/Europe/Dublin"), "install Debian's package tzdata")
    var random = SeededGenerator(seed: seed)
    for _ in 0..<3000 {
      var bytes = whole
      for _ in 0...Int.random(in: 0...3, using: &random) {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      guard let zone = try? Zone(tzif: bytes) else { continue }
      let at = Instant(
        milliseconds: Bool.random(using: &random)
          ? .random(in: -4_000_000_000_000...8_000_000_000_000, using: &random)
          : .random(in: .min ... .max, using: &random))
      #expect(abs(zone.offset(at: at)) < 26 * 3600)
      if let next = zone.nextTransition(after: at) { #expect(next > at) }
    }
  }

  @Test(
    "typed times are read in the zone: the first of two instants, the transition for a skipped time",
    arguments: [
      ("Europe/Berlin", "2024-03-31T02:30", "2024-03-31T01:00:00Z"),
      ("Europe/Berlin", "2024-10-27T02:30", "2024-10-27T00:30:00Z"),
      ("Europe/Berlin", "2024-07-01", "2024-06-30T22:00:00Z"),
      ("America/Sao_Paulo", "2018-11-04", "2018-11-04T03:00:00Z"),
      ("America/New_York", "2024-11-03 01:59:59.999", "2024-11-03T05:59:59.999Z"),
      ("Pacific/Apia", "2011-12-30 12:00", "2011-12-30T10:00:00Z"),
      ("America/St_Johns", "2010-11-07", "2010-11-07T02:30:00Z"),
      ("Asia/Tokyo", "1969-12-31t23:00:00", "1969-12-31T14:00:00Z"),
      ("Europe/Berlin", "2024-07-01T12:00:00+05:00", "2024-07-01T07:00:00Z"),
    ])
  func userInput(name: String, text: String, expected: String) throws {
    #expect(Instant(userInput: Array(text.utf8), zone: try zone(name))?.iso8601 == expected)
  }

  @Test(
    "text that is not a date is refused",
    arguments: [
      "", "yesterday", "2024", "2024-02-30", "2024-02-28T", "2024-02-28T24:00", "2024-02-28 1:00", "2024-02-28 10:00 x",
    ])
  func notUserInput(text: String) { #expect(Instant(userInput: Array(text.utf8), zone: .utc) == nil) }

  @Test("civil dates count days, have a weekday, and must exist")
  func civilDates() {
    #expect(CivilDate(iso8601: Array("2024-02-29".utf8))?.adding(days: 1) == CivilDate(year: 2024, month: 3, day: 1))
    #expect(CivilDate(iso8601: Array("2024-11-21".utf8))?.weekday == 4)
    #expect(CivilDate(iso8601: Array("1969-12-27".utf8))?.weekday == 6)
    for text in ["2023-02-29", "2024-1-01", "2024-01-01T", "2024/01/01", "+024-01-01"] {
      #expect(CivilDate(iso8601: Array(text.utf8)) == nil, "\(text)")
    }
  }
}

/// Zones with every kind of rule: none, both hemispheres, negative and half-hour daylight saving, changes at midnight,
/// a skipped day.
let zoneNames = [
  "UTC", "Europe/Berlin", "Europe/Dublin", "America/New_York", "America/St_Johns", "America/Sao_Paulo", "America/Nuuk",
  "Asia/Kolkata",
  "Asia/Gaza", "Africa/Casablanca", "Australia/Lord_Howe", "Pacific/Apia", "Pacific/Chatham", "Antarctica/Troll",
]

extension Zone {
  /// Returns the time that UTC clocks show.
  fileprivate func utcTime(_ milliseconds: Int64) -> CivilTime {
    Zone.utc.civilTime(at: Instant(milliseconds: milliseconds))
  }
}
