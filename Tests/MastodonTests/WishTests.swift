import Dates
import HTTPSupport
import Ingest
import Testing

@testable import Mastodon

@Suite("Commands of the daemon")
struct WishTests {
  private static let post =
    #"{"id":"c1","do":"post","account":"ann","login":"ann@a.example","text":"Hi","visibility":"public","since":1795000000000}"#
  private static let favourite =
    #"{"id":"c2","do":"favourite","account":"ann","login":"ann@a.example","post":"https://b.example/1","aliases":["a.example#9"]}"#
  private static let made = #"""
    {"id":"5","uri":"https://a.example/users/ann/statuses/5","url":"https://a.example/@ann/5","created_at":"2026-11-18T11:06:40Z",
    "visibility":"public","account":{"id":"1","acct":"ann","uri":"https://a.example/users/ann"},"content":"<p>Hi</p>"}
    """#

  @Test("a post is recorded, sent, recorded again and answered") func posting() {
    var bench = ConnectorBench.live()
    bench.tell(Self.post)
    #expect(bench.fetches.isEmpty)
    let record = bench.batches().joined()
    #expect(record.contains(#""items":[],"cursors":{"writing":"t c1 1795000000000 1795000000000"}"#))
    let request = bench.fetches.first?.request
    #expect(request?.idempotencyKey == "c1" && request?.form == "status=Hi&visibility=public")
    bench.answer("/api/v1/statuses", 200, Self.made)
    #expect(!bench.lines.contains { $0.contains("c1") && $0.contains("ok") }, "it is not stored yet")
    #expect(bench.batches().joined().contains(#""writing":"p c1 5""#))
    #expect(
      bench.lines.last
        == #"{"id":"c1","ok":true,"native_id":"https://a.example/users/ann/statuses/5","permalink":"https://a.example/@ann/5"}"#
    )
  }

  @Test("what has been posted is known after a restart by the cursors") func restart() {
    var bench = ConnectorBench.withLogin(cursors: #"{"writing":"p c1 5"}"#)
    bench.tell(Self.post.replacing("\"do\"", with: "\"again\":true,\"do\""))
    bench.answer("/api/v2/instance", 200, ConnectorBench.facts)
    bench.answer("/api/v1/statuses/5", 200, Self.made)
    #expect(bench.lines.last?.contains(#""ok":true,"native_id":"https://a.example/users/ann/statuses/5""#) == true)
  }

  @Test("a mark goes before what is read, and counts though the stream fails meanwhile") func marking() {
    var bench = ConnectorBench.live()
    bench.tell(Self.favourite)
    bench.take(.streamEnded(bench.streams[0].number, "the server closed the stream"))
    bench.answer("/api/v1/statuses/9/favourite", 200, Self.made)
    #expect(bench.lines.contains(#"{"id":"c2","ok":true}"#))
    // While the server cannot be reached nothing is begun.
    bench.tell(Self.favourite)
    #expect(bench.fetches.isEmpty)
    #expect(bench.lines.last == #"{"id":"c2","ok":false,"retry":true,"reason":"the server closed the stream"}"#)
  }

  @Test("401 signs the login out, and its wishes wait") func signedOut() {
    var bench = ConnectorBench.live()
    bench.tell(Self.favourite)
    bench.answer("/api/v1/statuses/9/favourite", 401, #"{"error":"The access token was revoked"}"#)
    #expect(bench.lines.contains { $0.contains("signed_out") })
    #expect(
      bench.lines.contains { $0.hasPrefix(#"{"id":"c2","ok":false,"retry":true,"reason":"the server says: The"#) })
    bench.tell(Self.favourite.replacing("c2", with: "c3"))
    #expect(bench.fetches.isEmpty && bench.lines.last?.contains("stack-client login ann@a.example") == true)
  }

  @Test("429 puts wishes off until the server has rested") func limited() {
    var bench = ConnectorBench.live()
    bench.tell(Self.favourite)
    bench.answer("/api/v1/statuses/9/favourite", 429, "{}", fields: ["retry-after": "120"])
    bench.tell(Self.favourite)
    #expect(bench.fetches.isEmpty && bench.lines.last?.contains(#""retry":true"#) == true)
    for _ in 0..<3 {
      bench.now = bench.now.adding(milliseconds: 40_000)
      bench.take(.streamReceived(bench.streams[0].number, Array(":thump\n".utf8)))
    }
    bench.tell(Self.favourite)
    #expect(bench.fetches.count == 1)
  }

  @Test("wishes leave room for nobody when only reading has to rest") func urgent() {
    var bench = ConnectorBench.live()
    bench.tell(Self.favourite)
    bench.answer(
      "/api/v1/statuses/9/favourite", 200, "{}",
      fields: ["x-ratelimit-limit": "300", "x-ratelimit-remaining": "10", "x-ratelimit-reset": "1795000300"])
    bench.tell(Self.favourite.replacing("c2", with: "c3"))
    #expect(bench.fetches.first?.request.url.path == "/api/v1/statuses/9/favourite")
  }

  @Test("commands that come before the logins wait for them; one without a login is refused") func early() {
    var secrets = Secrets()
    secrets.tokens["ann@a.example"] = Secrets.Token(
      server: "https://a.example/", token: "t0k3n", id: "c1", secret: "s3cret")
    var bench = ConnectorBench(secrets)
    bench.tell(Self.favourite)
    bench.tell(Self.favourite.replacing("c2", with: "c3").replacing("ann@a.example", with: ""))
    #expect(bench.lines.count == 1)
    bench.tell(#"{"tell":"login","login":"ann@a.example","account":"ann","cursors":{}}"#)
    bench.tell(#"{"tell":"ready","now":1795000000000,"credit":8}"#)
    #expect(bench.lines.contains { $0.hasPrefix(#"{"id":"c3","ok":false,"reason":"ann has no login"#) })
    bench.answer("/api/v2/instance", 200, ConnectorBench.facts)
    bench.answer("/api/v1/statuses/9/favourite", 200, Self.made)
    #expect(bench.lines.contains(#"{"id":"c2","ok":true}"#))
  }

  @Test("when the daemon refuses to store what is posted, nothing is sent") func refusedRecord() {
    var bench = ConnectorBench.live()
    bench.tell(Self.post)
    let number = bench.lines.last!.split(separator: #"batch":""#)[1].prefix { $0 != "\"" }
    bench.tell(#"{"did":"\#(number)","ok":false,"reason":"too long"}"#)
    #expect(bench.fetches.isEmpty)
    #expect(bench.lines.last?.contains(#""retry":true,"reason":"the daemon cannot store what is posted""#) == true)
  }

  @Test(
    "servers that know a key again are told by their versions",
    arguments: [
      ("4.5.0", true), ("4.3.1+glitch", true), ("2.7.2 (compatible; Akkoma 3.13.2)", true),
      ("0.19.1+git-1a2b3c4", false),
      ("3.5.3 (compatible; Pixelfed 0.12.4)", false), ("4.2.0+gotosocial-0.19", false), ("", false),
    ])
  func keys(version: String, keeps: Bool) {
    let facts = RequestBudgetTests.response(body: #"{"version":"\#(version)"}"#).parsed(by: .init()) { ServerFacts($0) }
    #expect(facts?.keepsKeys == keeps)
  }
}
