import Dates
import HTTPSupport
import Testing

@testable import Feeds

@Suite("Redirects")
struct RedirectTests {
  private static let start = Instant(seconds: 1_790_000_000)

  private func redirect(_ status: Int, from url: String, to location: String) throws -> FetchResponse {
    FetchResponse(
      status: status, fields: [(name: "location", value: Array(location.utf8))], url: try #require(WebURL(url)))
  }

  @Test("the address moves with the permanent redirects at the front alone") func moves() throws {
    var trail = RedirectTrail()
    var url = "http://e.org/a"
    for (status, location, path) in [(301, "/b", "/b"), (308, "c", "/c"), (302, "/d", "/d"), (301, "/e", "/e")] {
      url = try #require(try trail.next(after: redirect(status, from: url, to: location))).text
      #expect(url == "http://e.org\(path)")
    }
    #expect(trail.movedTo?.path == "/c")
    let end = FetchResponse(status: 200, fields: [], url: try #require(WebURL(url)))
    #expect(try trail.next(after: end) == nil)
  }

  @Test("what must not be followed is refused with a reason") func refusals() throws {
    for (url, location, reason) in [
      ("http://e.org/", "ftp://x/", "not http(s)"), ("http://e.org/", "file:///etc/passwd", "not http(s)"),
      ("https://e.org/", "http://e.org/", "from https to http, to e.org"),
    ] {
      var trail = RedirectTrail()
      let refusal = try #require(throws: RedirectTrail.Refusal.self) {
        try trail.next(after: redirect(302, from: url, to: location))
      }
      #expect(refusal.reason.contains(reason))
    }
    var trail = RedirectTrail()
    for _ in 0..<RedirectTrail.limit {
      #expect(try trail.next(after: redirect(301, from: "http://e/", to: "/")) != nil)
    }
    #expect(throws: RedirectTrail.Refusal.self) { try trail.next(after: redirect(301, from: "http://e/", to: "/")) }
  }

  @Test("a redirect waits for the host to which it leads, as any request does") func pause() throws {
    var scheduler = FetchScheduler(seed: 1)
    for name in ["a", "b"] {
      let url = try #require(WebURL("http://\(name).org/"))
      scheduler.add(name, FeedRecord(url: url, next: Self.start))
    }
    let target = try #require(WebURL("http://c.org/feed"))
    let requests = scheduler.requests(at: Self.start)
    for request in requests {
      let goesOn = scheduler.redirected(request.check, to: target, address: "", at: Self.start)
      #expect(goesOn)
    }
    // Both are sent to one host, which is asked for one of them at a time.
    let first = try #require(scheduler.requests(at: Self.start).first)
    #expect(first.url == target && requests.map(\.check).contains(first.check))
    #expect(scheduler.requests(at: Self.start.adding(milliseconds: 9_000)).isEmpty)
    let later = Self.start.adding(milliseconds: 10_000)
    let answer = FetchScheduler.Answer(outcome: .unchanged, fields: ResponseFields())
    let record = scheduler.answered(first.check, answer, at: later)
    #expect(record?.url.host == "\(first.feed).org", "the feed stays where it is")
    #expect(scheduler.requests(at: later).isEmpty)
    let next = later.adding(milliseconds: FetchScheduler.hostPause)
    #expect(scheduler.deadline(after: later) == next)
    let second = try #require(scheduler.requests(at: next).first)
    #expect(second.url == target && second.check != first.check)
    scheduler.remove(second.feed)
    let goesOn = scheduler.redirected(second.check, to: target, address: "", at: next)
    #expect(!goesOn)
  }

  @Test("a check goes on behind a redirect, and its feed keeps its validators") func check() throws {
    var connector = FeedConnector(seed: 1)
    func tell(_ line: String) -> [FeedConnector.Effect] { connector.handle(.line(Array(line.utf8)), at: Self.start) }
    func request(_ effects: [FeedConnector.Effect]) throws -> (check: Int, request: FetchRequest) {
      let found = effects.lazy.compactMap { effect -> (Int, FetchRequest)? in
        if case .fetch(let check, let request) = effect { (check, request) } else { nil }
      }.first
      return try #require(found)
    }
    _ = tell(#"{"tell":"feed","feed":"f1","url":"http://a.org/","cursors":{},"settings":{}}"#)
    let first = try request(tell(#"{"tell":"ready","now":1790000000000,"credit":8}"#))
    let moved = FetchResponse(
      status: 301, fields: [(name: "location", value: Array("http://b.org/".utf8))], url: first.request.url)
    let second = try request(connector.handle(.fetched(check: first.check, .success(moved)), at: Self.start))
    #expect(second.check == first.check && second.request.url.text == "http://b.org/")
    let loop = FetchResponse(
      status: 302, fields: [(name: "location", value: Array("gopher://b.org/".utf8))], url: second.request.url)
    let effects = connector.handle(.fetched(check: second.check, .success(loop)), at: Self.start)
    guard case .write(let line)? = effects.last else {
      Issue.record("nothing is stored")
      return
    }
    #expect(String(decoding: line, as: UTF8.self).contains("a redirect to something that is not http(s)"))
  }
}
