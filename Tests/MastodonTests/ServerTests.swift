import Dates
import HTTPSupport
import Ingest
import Testing

@testable import Mastodon

@Suite("What servers say")
struct ServerTests {
  private static var parser: JSONParser { JSONParser() }
  private static let login = LoginName(text: "ann@a.example", host: "a.example")

  static let answerCases: [(status: Int, body: String, answer: ServerAnswer)] = [
    (200, "[]", .done), (202, "", .done), (206, "[]", .building), (404, "", .absent), (410, "{}", .absent),
    (429, "", .limited), (302, "", .refused("the server answered 302")),
    (401, #"{"error":"The access token is invalid"}"#, .signedOut("The access token is invalid")),
    (403, #"{"error":"Invalid credentials."}"#, .signedOut("Invalid credentials.")),
    (403, #"{"error":"This action is not allowed"}"#, .refused("This action is not allowed")),
    (422, #"{"error":"a","error_description":"b\u0007c"}"#, .refused("b\u{FFFD}c")),
    (503, "<html>", .later("the server answered 503")), (408, "", .later("the server answered 408")),
  ]

  @Test("answers", arguments: answerCases.indices) func answers(index: Int) {
    let (status, body, answer) = Self.answerCases[index]
    let response = RequestBudgetTests.response(status, body: body)
    #expect(ServerAnswer(.success(response), parser: Self.parser) == answer)
  }

  private static func readFacts(_ text: String) -> ServerFacts? {
    RequestBudgetTests.response(body: text).parsed(by: parser) { ServerFacts($0) }
  }

  @Test("an instance's document, new and old") func facts() {
    let new = Self.readFacts(
      #"{"version":"4.5.0","configuration":{"urls":{"streaming":"wss://s.example"},"statuses":{"max_characters":500,"characters_reserved_per_url":23}}}"#
    )
    #expect(new?.streams?.text == "https://s.example/" && new?.characters == 500 && new?.linkCharacters == 23)
    let old = Self.readFacts(#"{"version":"2.7.2","urls":{"streaming_api":""},"max_toot_chars":5000}"#)
    #expect(old != nil && old?.streams == nil && old?.characters == 5000 && old?.linkCharacters == nil)
    let versions = [6: false, 7: true, 8: true]
    for (version, isTold) in versions {
      let facts = Self.readFacts(#"{"version":"4.5.0","api_versions":{"mastodon":\#(version)}}"#)
      #expect(facts?.notifiesOfQuotes == isTold)
    }
    #expect(Self.readFacts("{}") == nil && Self.readFacts("[]") == nil && Self.readFacts("") == nil)
  }

  @Test("addresses as people write them") func addresses() {
    for text in ["ann@social.example", "@ann@social.example", "social.example", " https://Social.example/@ann?a#b "] {
      #expect(ServerAddress(text)?.url.text == "https://social.example/", "\(text)")
    }
    #expect(ServerAddress("ann@localhost:8443")?.url.text == "https://localhost:8443/")
    #expect(ServerAddress("http://127.0.0.1:3000")?.url.text == "http://127.0.0.1:3000/")
    #expect(ServerAddress("@ann@social.example")?.name == "ann" && ServerAddress("@social.example")?.name == nil)
    for text in [
      "", "ann@", "http://social.example", "https://ann:secret@social.example", "a/b", "ftp://a.example", "a b@?",
    ] {
      #expect(ServerAddress(text) == nil, "\(text)")
    }
  }

  @Test("a token goes to its own server, and to a stream that is as secure") func requests() {
    let server = MastodonServer(url: WebURL("https://a.example:8443/")!, token: "t")
    let home = server.get("/api/v1/timelines/home", [("limit", "40"), ("min_id", "a&b")])
    #expect(home.url.text == "https://a.example:8443/api/v1/timelines/home?limit=40&min_id=a%26b")
    #expect(home.authorization == "Bearer t" && home.form == nil && server.host == "a.example:8443")
    let events = server.streaming(at: WebURL("https://s.example")).events
    #expect(events.url.text == "https://s.example/api/v1/streaming/user" && events.accept == "text/event-stream")
    #expect(events.authorization == "Bearer t")
    #expect(server.streaming(at: WebURL("http://s.example")) == server && server.streaming(at: nil) == server)
    #expect(server.streaming(at: WebURL("https://127.0.0.1:8443")) == server, "no way into a private network")
    let local = MastodonServer(url: WebURL("https://127.0.0.1/")!)
    #expect(local.streaming(at: WebURL("https://127.0.0.1:8443")) != local)
    #expect(MastodonServer(url: server.url).get("/").authorization == nil)
  }

  // MARK: - Statuses

  static func status(_ id: String, created: String = "2026-11-18T11:06:40.000Z", more: String = "") -> String {
    """
    {"id":"\(id)","uri":"https://b.example/users/ben/statuses/\(id)","created_at":"\(created)","visibility":"public",\
    "account":{"id":"7","acct":"ben@b.example","display_name":"Ben","uri":"https://b.example/users/ben"},\
    "content":"<p>Hello &amp; more</p>"\(more)}
    """
  }

  private static func read(_ text: String, _ make: (JSONValue) -> TimelineStatus?) -> TimelineStatus? {
    RequestBudgetTests.response(body: text).parsed(by: parser, make)
  }

  @Test("a status becomes a post with its address, its number at the server and plain text") func statuses() {
    let read = Self.read(Self.status("12", more: #","in_reply_to_id":"11""#)) {
      TimelineStatus($0, host: "a.example", now: RequestBudgetTests.now)
    }
    let post = read.map { String(decoding: $0.post, as: UTF8.self) } ?? ""
    #expect(read?.id == "12" && read?.created == RequestBudgetTests.now)
    for part in [
      #""source":"mastodon","id":"https://b.example/users/ben/statuses/12","aliases":["a.example#12"]"#,
      #""in_reply_to":"a.example#11""#, #""text":"Hello & more""#, #""handle":"ben@b.example""#,
    ] { #expect(post.contains(part), "\(part) is not in \(post)") }
  }

  @Test("one that is dated later than now is of now; a clock may be five minutes wrong") func dates() {
    let now = RequestBudgetTests.now
    let (near, far) = ("2026-11-18T11:11:40Z", "2026-11-18T11:11:41Z")
    #expect(
      Self.read(Self.status("1", created: near)) { TimelineStatus($0, host: "a", now: now) }?.created.seconds == now
        .seconds
        + 300)
    #expect(Self.read(Self.status("1", created: far)) { TimelineStatus($0, host: "a", now: now) }?.created == now)
  }

  @Test("a notification's own identifier is what pages are asked by") func notifications() {
    let text = #"{"id":"n5","type":"mention","status":\#(Self.status("12"))}"#
    let read = Self.read(text) { TimelineStatus(notification: $0, login: Self.login, now: RequestBudgetTests.now) }
    #expect(read?.id == "n5" && read?.post.isEmpty == false)
  }

  @Test("what is no status", arguments: ["{}", #"{"id":"a b"}"#, #"{"id":"1","account":{}}"#, "7"]) func nonsense(
    text: String
  ) {
    #expect(Self.read(text) { TimelineStatus($0, host: "a", now: RequestBudgetTests.now) } == nil)
  }

  @Test("events of a stream") func events() {
    let reader = StreamEventReader(login: Self.login, now: RequestBudgetTests.now, parser: Self.parser)
    func event(_ name: String, _ payload: String) -> StreamEvent? { reader.event(name, payload) }
    guard case .update(let status)? = event("update", Self.status("3")) else {
      Issue.record("no update")
      return
    }
    #expect(status.id == "3" && event("status.update", Self.status("3")) == .edit(status))
    #expect(event("delete", "3") == .delete("3") && event("delete", "../3") == nil && event("delete", "") == nil)
    #expect(event("notification", #"{"id":"9","type":"mention","status":\#(Self.status("3"))}"#) != nil)
    guard case .notice(let other)? = event("notification", #"{"id":"9","type":"party"}"#) else {
      Issue.record("no notification")
      return
    }
    #expect(other.id == "9" && other.post.isEmpty && other.notice == nil)
    #expect(reader.event(message: #"{"stream":["user"],"event":"delete","payload":"3"}"#) == .delete("3"))
    #expect(reader.event(message: #"{"event":"filters_changed"}"#) == nil && reader.event(message: "x") == nil)
    #expect(
      event("filters_changed", "undefined") == nil && event("update", "undefined") == nil && event("new", "{}") == nil)
  }
}
