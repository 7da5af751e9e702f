import Dates
import HTTPSupport
import Testing

@testable import Mastodon

@Suite("Requests to a server")
struct RequestBudgetTests {
  static let now = Instant(seconds: 1_795_000_000)
  static let url = WebURL("https://a.example/")!

  static func response(_ status: Int = 200, _ fields: [String: String] = [:], body: String = "") -> FetchResponse {
    FetchResponse(
      status: status, fields: fields.map { ($0.key, Array($0.value.utf8)) }, body: Array(body.utf8), url: url)
  }

  @Test("four at once, and 150 in five minutes") func limits() {
    var budget = RequestBudget()
    var count = 0
    while budget.allows(at: Self.now), count < 1_000 {
      budget.ask(at: Self.now)
      count += 1
    }
    #expect(count == 4)
    while count < 150 {
      budget.answered(Self.response(), at: Self.now)
      budget.ask(at: Self.now)
      count += 1
    }
    budget.failed()
    #expect(!budget.allows(at: Self.now))
    let next = budget.deadline(after: Self.now)
    #expect(next == Self.now.adding(milliseconds: 300_000) && budget.allows(at: next!))
  }

  @Test("requests for which a person waits exceed the limit, and others wait until all of them are over") func urgent()
  {
    var budget = RequestBudget()
    for second in 0..<200 as Range<Int64> {
      budget.ask(at: Self.now.adding(milliseconds: second * 1_000))
      budget.failed()
    }
    let late = Self.now.adding(milliseconds: 200_000)
    let next = budget.deadline(after: late)
    #expect(next == Self.now.adding(milliseconds: 350_000) && !budget.allows(at: next!.adding(milliseconds: -1)))
    #expect(budget.allows(at: next!))
  }

  @Test(
    "a reset at the end of time is one in the far future", arguments: ["9223372036854775807", "-9223372036854775808"])
  func resets(text: String) {
    var budget = RequestBudget()
    budget.ask(at: Self.now)
    budget.answered(Self.response(429, ["x-ratelimit-reset": text]), at: Self.now)
    let rest: Int64 = text.hasPrefix("-") ? 60_000 : 3_600_000
    #expect(budget.restEnd == Self.now.adding(milliseconds: rest))
  }

  static let restCases: [(fields: [String: String], seconds: Int64)] = [
    ([:], 60), (["retry-after": "10"], 60), (["retry-after": "600"], 600), (["retry-after": "90000"], 3_600),
    (["retry-after": "Wed, 18 Nov 2026 11:11:40 GMT", "date": "Wed, 18 Nov 2026 11:06:40 GMT"], 300),
    (["x-ratelimit-reset": "1795000120"], 120),
    (["x-ratelimit-reset": "2026-11-18T11:16:40.000Z"], 600),
    // By the server's clock, which is an hour ahead.
    (["x-ratelimit-reset": "2026-11-18T12:16:40Z", "date": "Wed, 18 Nov 2026 12:06:40 GMT"], 600),
    (["x-ratelimit-reset": "soon", "retry-after": ""], 60),
  ]

  @Test("after 429 it rests as long as the server says, then asks once", arguments: restCases.indices)
  func rests(index: Int) {
    let (fields, seconds) = Self.restCases[index]
    var budget = RequestBudget()
    budget.ask(at: Self.now)
    budget.answered(Self.response(429, fields), at: Self.now)
    let end = Self.now.adding(milliseconds: seconds * 1000)
    #expect(budget.restEnd == end && !budget.allows(at: end.adding(milliseconds: -1)) && budget.allows(at: end))
    budget.ask(at: end)
    #expect(!budget.allows(at: end))
    budget.answered(Self.response(), at: end)
    budget.ask(at: end)
    #expect(budget.allows(at: end))
  }

  @Test("it rests when a fifth of what is allowed is left") func sparing() {
    var budget = RequestBudget()
    let reset = ["x-ratelimit-limit": "300", "x-ratelimit-reset": "2026-11-18T11:08:40Z"]
    budget.answered(Self.response(200, reset.merging(["x-ratelimit-remaining": "61"]) { $1 }), at: Self.now)
    #expect(budget.allows(at: Self.now))
    budget.answered(Self.response(200, reset.merging(["x-ratelimit-remaining": "60"]) { $1 }), at: Self.now)
    #expect(!budget.allows(at: Self.now) && budget.restEnd == Self.now.adding(milliseconds: 120_000))
  }

  @Test("a server's clock is the median of its dates: one that is wrong changes nothing") func clock() {
    var clock = ServerClock()
    #expect(clock.time(at: Self.now) == Self.now)
    for date in [
      "Wed, 18 Nov 2026 13:06:40 GMT", "Thu, 01 Jan 1970 00:00:00 GMT", "Wed, 18 Nov 2026 13:06:41 GMT", "?",
    ] {
      clock.add(date: date, at: Self.now)
    }
    #expect(clock.time(at: Self.now) == Self.now.adding(milliseconds: 7_200_000))
  }
}
