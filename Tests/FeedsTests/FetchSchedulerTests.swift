import Dates
import HTTPSupport
import TestSupport
import Testing

@testable import Feeds

@Suite("When feeds are fetched")
struct FetchSchedulerTests {
  static let start = Instant(seconds: 1_795_521_600)
  static let hour: Int64 = 3_600_000

  private func url(_ text: String) throws -> WebURL { try #require(WebURL(text)) }

  private func fields(_ pairs: [(String, String)], at now: Instant) -> ResponseFields {
    ResponseFields(pairs.map { (name: $0.0, value: Array($0.1.utf8)) }, now: now)
  }

  /// A scheduler with one feed that is due at once.
  private func one(_ text: String = "https://e.org/feed") throws -> FetchScheduler {
    var scheduler = FetchScheduler(seed: 1)
    scheduler.add("f", FeedRecord(url: try url(text), next: Self.start))
    return scheduler
  }

  /// Fetches the one feed when it is due, with this answer. Returns the time until the next check in minutes.
  private func check(
    _ scheduler: inout FetchScheduler, at now: Instant, _ outcome: CheckOutcome, _ pairs: [(String, String)] = [],
    movedTo: WebURL? = nil
  ) throws -> Int64 {
    let requests = scheduler.requests(at: now)
    #expect(requests.map(\.feed) == ["f"])
    let answer = FetchScheduler.Answer(outcome: outcome, fields: fields(pairs, at: now), movedTo: movedTo)
    let answered = scheduler.answered(try #require(requests.first).check, answer, at: now)
    let record = try #require(answered)
    #expect(scheduler.requests(at: record.next).isEmpty)
    scheduler.stored("f")
    return (record.next.milliseconds - now.milliseconds) / 60_000
  }

  private static let tag = ("ETag", "\"1\"")

  @Test(
    "the interval follows what the feed says, the longest of it",
    arguments: [
      ([tag], nil, nil, 54...66), ([tag, ("Cache-Control", "max-age=7200")], nil, nil, 120...132),
      ([tag, ("Cache-Control", "max-age=60")], nil, nil, 54...66), ([tag], 180, nil, 162...198),
      ([tag, ("Cache-Control", "max-age=60000")], 180, nil, 1_000...1_100), ([tag], 100_000, nil, 9_072...11_088),
      ([], nil, nil, 324...396), ([tag], nil, 30, 54...66), ([tag], nil, 130, 108...132), ([tag], nil, 500, 432...528),
      ([tag], nil, 5_000, 1_296...1_584), ([tag, ("Retry-After", "86400")], nil, nil, 1_440...1_440),
    ] as [([(String, String)], Int?, Int?, ClosedRange<Int64>)])
  func intervals(pairs: [(String, String)], said: Int?, halfPause: Int?, minutes: ClosedRange<Int64>) throws {
    var scheduler = try one()
    var pace = FeedPace()
    (pace.minutes, pace.halfPause) = (said, halfPause)
    #expect(minutes.contains(try check(&scheduler, at: Self.start, .document(pace), pairs)))
  }

  @Test("a person's interval counts instead, but not against Retry-After") func wanted() throws {
    var scheduler = try one()
    scheduler.setInterval(5, of: "f")
    var now = Self.start
    for (pairs, minutes) in [
      ([], 13...17), ([("Cache-Control", "max-age=9000")], 13...17), ([("Retry-After", "3600")], 60...60),
    ]
      as [([(String, String)], ClosedRange<Int64>)]
    {
      let next = try check(&scheduler, at: now, .document(FeedPace()), pairs)
      #expect(minutes.contains(next), "\(next)")
      now = try #require(scheduler.record(of: "f")).next
    }
  }

  @Test("skipped hours and days are left out, unless nothing remains") func skips() throws {
    var pace = FeedPace()
    // The start is a Tuesday, 12:00.
    pace.skippedHours = [12, 13]
    var scheduler = try one()
    #expect(try check(&scheduler, at: Self.start, .document(pace), [Self.tag]) == 120)
    pace.skippedDays = [2, 3]
    scheduler = try one()
    #expect(try check(&scheduler, at: Self.start, .document(pace), [Self.tag]) == 36 * 60)
    pace.skippedHours = Set(0...23)
    scheduler = try one()
    #expect((54...66).contains(try check(&scheduler, at: Self.start, .document(pace), [Self.tag])))
  }

  @Test("validators go back as they came, and are forgotten with a document that has none") func validators() throws {
    var scheduler = try one()
    _ = try check(&scheduler, at: Self.start, .document(FeedPace()), [("ETag", "W/\"a\""), ("Last-Modified", "x")])
    var now = try #require(scheduler.record(of: "f")).next
    #expect(scheduler.record(of: "f")?.validators.entityTag == Array("W/\"a\"".utf8))
    _ = try check(&scheduler, at: now, .unchanged, [("ETag", "\"b\"")])
    #expect(scheduler.record(of: "f")?.validators.entityTag == Array("\"b\"".utf8))
    #expect(scheduler.record(of: "f")?.validators.lastModified == Array("x".utf8))
    now = try #require(scheduler.record(of: "f")).next
    _ = try check(&scheduler, at: now, .failed)
    #expect(scheduler.record(of: "f")?.validators.isEmpty == false)
    now = try #require(scheduler.record(of: "f")).next
    _ = try check(&scheduler, at: now, .document(FeedPace()))
    #expect(scheduler.record(of: "f")?.validators.isEmpty == true)
  }

  @Test("failures are asked again after 1, 2, 4 … hours, at most 7 days, for ever") func failures() throws {
    var scheduler = try one()
    var now = Self.start
    var hours: [Int64] = []
    for count in 1...14 {
      let minutes = try check(&scheduler, at: now, .failed)
      hours.append((minutes + 20) / 60)
      #expect(scheduler.record(of: "f")?.isFailing == (count >= 3))
      now = try #require(scheduler.record(of: "f")).next
    }
    #expect(
      zip(hours, [1, 2, 4, 8, 16, 32, 64, 128, 168, 168, 168, 168, 168, 168]).allSatisfy { abs($0 - $1) * 10 <= $1 })
    _ = try check(&scheduler, at: now, .unchanged)
    #expect(scheduler.record(of: "f")?.health == .fine)
  }

  @Test("a server that was away for a day is asked five times meanwhile, and then for what has changed") func away()
    throws
  {
    var scheduler = try one()
    _ = try check(&scheduler, at: Self.start, .document(FeedPace()), [Self.tag])
    var now = try #require(scheduler.record(of: "f")).next
    let back = now.adding(milliseconds: 24 * Self.hour)
    var failures = 0
    while now < back {
      _ = try check(&scheduler, at: now, .failed)
      failures += 1
      now = try #require(scheduler.record(of: "f")).next
    }
    #expect(failures == 5 && now < back.adding(milliseconds: 11 * Self.hour))
    let requests = scheduler.requests(at: now)
    #expect(requests.map(\.validators.entityTag) == [Array("\"1\"".utf8)])
  }

  @Test("a feed that is gone is asked no more, unless by hand") func gone() throws {
    var scheduler = try one()
    _ = try check(&scheduler, at: Self.start, .gone)
    #expect(scheduler.deadline(after: Self.start) == nil)
    let soon = Self.start.adding(milliseconds: FetchScheduler.hostPause)
    #expect(scheduler.refresh("f", at: soon) == nil)
    #expect(scheduler.requests(at: soon).count == 1)
  }

  @Test("a person has a feed checked at once, but only once a minute") func refresh() throws {
    var scheduler = try one()
    _ = try check(&scheduler, at: Self.start, .unchanged)
    let (soon, allowed) = (Self.start.adding(milliseconds: 2_000), Self.start.adding(milliseconds: 62_000))
    #expect(scheduler.refresh("f", at: soon) == nil)
    _ = try check(&scheduler, at: soon, .unchanged)
    #expect(scheduler.refresh("f", at: allowed.adding(milliseconds: -1)) == allowed)
    #expect(scheduler.requests(at: allowed).isEmpty)
    #expect(scheduler.refresh("f", at: allowed) == nil)
    #expect(scheduler.requests(at: allowed).count == 1)
  }

  @Test("a move for good counts when three checks over a day agree") func moves() throws {
    var scheduler = try one()
    let (first, second) = (try url("https://new.org/feed"), try url("https://other.org/feed"))
    var now = Self.start
    var targets: [WebURL?] = [first, first, nil, first, second]
    targets += Array(repeating: first, count: 40)
    var asked: [WebURL] = []
    for target in targets {
      asked.append(try #require(scheduler.record(of: "f")).url)
      _ = try check(
        &scheduler, at: now, .document(FeedPace()), [Self.tag], movedTo: asked.last == first ? nil : target)
      now = try #require(scheduler.record(of: "f")).next
    }
    let changed = try #require(asked.firstIndex(of: first))
    // Five checks that disagree, then a day of them that agree.
    #expect((5 + 20...5 + 30).contains(changed), "\(changed)")
    #expect(asked[changed...].allSatisfy { $0 == first })
  }

  @Test("a server that is busy is left alone with all of its feeds") func busy() throws {
    var scheduler = FetchScheduler(seed: 1)
    for name in ["a", "b"] { scheduler.add(name, FeedRecord(url: try url("https://e.org/\(name)"), next: Self.start)) }
    let requests = scheduler.requests(at: Self.start)
    let request = try #require(requests.first)
    let answer = FetchScheduler.Answer(
      outcome: .failed, fields: fields([("Retry-After", "600")], at: Self.start), isBusy: true)
    _ = scheduler.answered(request.check, answer, at: Self.start)
    scheduler.stored(request.feed)
    #expect(scheduler.deadline(after: Self.start) == Self.start.adding(milliseconds: 600_000))
    #expect(scheduler.requests(at: Self.start.adding(milliseconds: 599_999)).isEmpty)
    #expect(scheduler.requests(at: Self.start.adding(milliseconds: 600_000)).count == 1)
  }

  @Test("feeds of a host that is an address instead of a name have their turn, one after the other") func address()
    throws
  {
    var scheduler = FetchScheduler(seed: 1)
    for name in ["a", "b"] {
      scheduler.add(name, FeedRecord(url: try url("http://192.0.2.1/\(name)"), next: Self.start))
    }
    let requests = scheduler.requests(at: Self.start)
    #expect(requests.map(\.feed) == ["a"])
    let answer = FetchScheduler.Answer(outcome: .unchanged, fields: ResponseFields(), address: "192.0.2.1")
    _ = scheduler.answered(try #require(requests.first).check, answer, at: Self.start)
    scheduler.stored("a")
    let soon = Self.start.adding(milliseconds: FetchScheduler.hostPause)
    #expect(scheduler.deadline(after: Self.start) == soon)
    #expect(scheduler.requests(at: soon.adding(milliseconds: -1)).isEmpty)
    #expect(scheduler.requests(at: soon).map(\.feed) == ["b"])
  }

  @Test("a server that wants a year's pause stops its own name for 7 days, others at its address for 15 minutes")
  func busyForYears() throws {
    var scheduler = FetchScheduler(seed: 1)
    func ask(_ name: FeedName, at now: Instant, _ pairs: [(String, String)], isBusy: Bool) throws {
      let requests = scheduler.requests(at: now)
      #expect(requests.map(\.feed) == [name])
      let answer = FetchScheduler.Answer(
        outcome: .failed, fields: fields(pairs, at: now), address: "192.0.2.1", isBusy: isBusy)
      _ = scheduler.answered(try #require(requests.first).check, answer, at: now)
      scheduler.stored(name)
    }
    let day = Self.start.adding(milliseconds: 24 * Self.hour)
    // The names' address is learnt.
    for (index, name) in ["a", "b"].enumerated() {
      scheduler.add(name, FeedRecord(url: try url("https://\(name).org/1"), next: Self.start))
      try ask(name, at: Self.start.adding(milliseconds: Int64(index) * 10_000), [], isBusy: false)
      scheduler.remove(name)
    }
    scheduler.add("a1", FeedRecord(url: try url("https://a.org/1"), next: day))
    try ask("a1", at: day, [("Retry-After", "31536000")], isBusy: true)
    scheduler.add("a2", FeedRecord(url: try url("https://a.org/2"), next: day))
    scheduler.add("b", FeedRecord(url: try url("https://b.org/"), next: day))
    let soon = day.adding(milliseconds: FetchScheduler.addressPause)
    #expect(scheduler.requests(at: soon.adding(milliseconds: -1)).isEmpty)
    try ask("b", at: soon, [], isBusy: false)
    scheduler.remove("b")
    let week = day.adding(milliseconds: 7 * 24 * Self.hour)
    #expect(scheduler.record(of: "a1")?.next == week)
    #expect(scheduler.requests(at: week.adding(milliseconds: -1)).isEmpty)
    #expect(scheduler.deadline(after: soon) == week)
    #expect(scheduler.requests(at: week).count == 1)
  }

  @Test("an interval counts from the last check as soon as it is set") func intervalAtOnce() throws {
    var scheduler = try one()
    func minutes() throws -> Int64 {
      let next = try #require(scheduler.record(of: "f")).next
      #expect(scheduler.requests(at: next.adding(milliseconds: -1)).isEmpty)
      return (next.milliseconds - Self.start.milliseconds) / 60_000
    }
    _ = try check(&scheduler, at: Self.start, .document(FeedPace()), [Self.tag, ("Cache-Control", "max-age=7200")])
    #expect((120...132).contains(try minutes()))
    scheduler.setInterval(15, of: "f")
    let set = try minutes()
    #expect((13...17).contains(set))
    scheduler.setInterval(15, of: "f")
    #expect(try minutes() == set)
    scheduler.setInterval(nil, of: "f")
    #expect((120...132).contains(try minutes()))
    // Never before the server wants it, and not sooner after a failure.
    scheduler = try one()
    _ = try check(&scheduler, at: Self.start, .unchanged, [("Retry-After", "6000")])
    scheduler.setInterval(15, of: "f")
    #expect(try minutes() == 100)
    scheduler = try one()
    let failed = try check(&scheduler, at: Self.start, .failed)
    scheduler.setInterval(15, of: "f")
    #expect(try minutes() == failed)
  }

  @Test("servers that send slowly keep others waiting for half a minute, and no longer") func slowServers() throws {
    var scheduler = FetchScheduler(seed: 1)
    for number in 0..<40 {
      scheduler.add("f\(number)", FeedRecord(url: try url("https://h\(number).org/"), next: Self.start))
    }
    #expect(scheduler.requests(at: Self.start).count == FetchScheduler.openLimit)
    let second = Self.start.adding(milliseconds: FetchScheduler.placeTime)
    #expect(scheduler.deadline(after: Self.start) == second)
    #expect(scheduler.requests(at: second.adding(milliseconds: -1)).isEmpty)
    #expect(scheduler.requests(at: second).count == FetchScheduler.slowLimit - FetchScheduler.openLimit)
    let third = second.adding(milliseconds: FetchScheduler.placeTime)
    #expect(scheduler.requests(at: third).isEmpty && scheduler.deadline(after: third) == nil)
    _ = scheduler.answered(1, FetchScheduler.Answer(outcome: .failed, fields: ResponseFields()), at: third)
    #expect(scheduler.requests(at: third).count == 1)
  }

  @Test("the request of a removed feed keeps its host and its place until it is answered") func removed() throws {
    var scheduler = FetchScheduler(seed: 1)
    for number in 0..<FetchScheduler.openLimit {
      scheduler.add("f\(number)", FeedRecord(url: try url("https://h\(number).org/"), next: Self.start))
    }
    let requests = scheduler.requests(at: Self.start)
    #expect(requests.count == FetchScheduler.openLimit)
    for request in requests { scheduler.remove(request.feed) }
    scheduler.add("f0", FeedRecord(url: try url("https://h0.org/other"), next: Self.start))
    scheduler.add("x", FeedRecord(url: try url("https://x.org/"), next: Self.start))
    let later = Self.start.adding(milliseconds: 20_000)
    let place = Self.start.adding(milliseconds: FetchScheduler.placeTime)
    #expect(scheduler.requests(at: later).isEmpty && scheduler.deadline(after: later) == place)
    let answer = FetchScheduler.Answer(outcome: .unchanged, fields: ResponseFields())
    let first = try #require(requests.first { $0.url.host == "h0.org" })
    #expect(scheduler.answered(first.check, answer, at: later) == nil)
    #expect(scheduler.requests(at: later).map(\.feed) == ["x"])
    let other = try #require(requests.first { $0.url.host == "h1.org" })
    #expect(scheduler.answered(other.check, answer, at: later) == nil)
    #expect(scheduler.requests(at: later.adding(milliseconds: FetchScheduler.hostPause)).map(\.feed) == ["f0"])
  }
}
