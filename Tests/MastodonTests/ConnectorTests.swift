import Codecs
import Dates
import HTTPSupport
import Testing

@testable import Mastodon

@Suite("The connector as a value")
struct ConnectorTests {
  @Test("it says hello, and asks nothing before it has been told everything") func beginning() {
    var bench = ConnectorBench()
    #expect(
      bench.lines == [
        #"{"say":"hello","protocol":2,"can":["fetch","sign_in","post","delete","favourite","repost","edit","post_direct","media","save"]}"#
      ])
    bench.tell(#"{"tell":"login","login":"ann@a.example","account":"ann","cursors":{}}"#)
    #expect(bench.fetches.isEmpty && bench.connector.deadline(after: bench.now) == nil)
    bench.tell(#"{"tell":"ready","now":1795000000000,"credit":8}"#)
    #expect(bench.fetches.isEmpty && bench.lastStatus.contains("signed_out"))
    #expect(bench.lastStatus.contains("stack-client login ann@a.example"))
  }

  @Test("it opens the stream, then reads the newest page; what the stream brings meanwhile waits") func connecting() {
    var bench = ConnectorBench.withLogin()
    #expect(bench.lastStatus.contains("connecting"))
    #expect(bench.fetches[0].request.authorization == "Bearer t0k3n")
    bench.answer("/api/v2/instance", 200, ConnectorBench.facts)
    #expect(bench.fetches.isEmpty && bench.streams[0].request.url.path == "/api/v1/streaming/user")
    #expect(bench.batches()[0].contains(#"{"limits":{"max_characters":500}}"#))
    bench.take(.streamOpened(bench.streams[0].number, status: 200))
    bench.event("update", ServerTests.status("3"))
    #expect(bench.batches().isEmpty)
    bench.answer(ConnectorBench.home, 200, "[\(ServerTests.status("2")),\(ServerTests.status("1"))]")
    bench.answerNotifications()
    let batches = bench.batches()
    #expect(batches.count == 4 && batches[0].contains(#""in":["home"]"#))
    #expect(batches[3].contains("statuses/3") && batches[3].contains(#""home":"n 3 1795000000000\nn 2"#))
    // Below the first page there may be more.
    #expect(bench.fetches[0].request.url.query == "limit=40&max_id=1")
    bench.answer(ConnectorBench.home)
    #expect(bench.lastStatus.contains(#""state":"live""#) && bench.fetches.isEmpty)
  }

  @Test("who quotes is among the mentions, where the server has a word for it", arguments: [true, false])
  func quotes(areTold: Bool) {
    var bench = ConnectorBench.withLogin()
    let facts = #"{"version":"4.5.0","api_versions":{"mastodon":\#(areTold ? 7 : 6)}}"#
    bench.answer("/api/v2/instance", 200, facts)
    bench.take(.streamOpened(bench.streams[0].number, status: 200))
    bench.answer(ConnectorBench.home)
    let kinds = bench.fetches[0].request.url.query?.split(separator: "&").filter { $0.hasPrefix("types") }
    #expect(kinds == ["types%5B%5D=mention", "types%5B%5D=quote"].prefix(areTold ? 2 : 1).map { $0[...] })
    bench.answerNotifications()
    _ = bench.batches()
    bench.event("notification", #"{"id":"n1","type":"quote","status":\#(ServerTests.status("3"))}"#)
    #expect(bench.batches().last?.contains(#""in":["mentions"]"#) == true)
    bench.event("notification", #"{"id":"n2","type":"favourite","status":\#(ServerTests.status("4"))}"#)
    #expect(bench.batches().joined().contains(#""items":[]"#), "it has no account")
  }

  @Test("the newest post of each direct conversation is brought, by whoever") func messages() {
    var bench = ConnectorBench.withLogin()
    bench.messages = #"[{"id":"c1","last_status":\#(ServerTests.status("5"))},{"id":"c2","last_status":null}]"#
    bench.connect()
    bench.answer(ConnectorBench.home)
    bench.answerNotifications()
    let sent = bench.batches().joined()
    #expect(sent.contains("statuses/5") && sent.contains(#""in":["messages"]"#))
    bench = ConnectorBench.withLogin()
    bench.messages = "<html>"
    bench.connect()
    bench.answer(ConnectorBench.home)
    bench.answerNotifications()
    #expect(bench.lastStatus.contains("live"))
  }

  @Test("a status that a stream brings more than five minutes after it was written is unread, wherever it lies")
  func late() {
    var bench = ConnectorBench.live()
    bench.event("update", ServerTests.status("5", created: "2026-11-18T11:01:41Z"))
    #expect(!bench.batches().joined().contains("unread"))
    bench.event("update", ServerTests.status("6", created: "2026-11-18T11:01:39Z"))
    #expect(bench.batches().joined().contains(#""flags":["unread"]"#))
  }

  @Test("what a page brings late is unread, but for what the first reading brings", arguments: [true, false])
  func lateInPages(isKnown: Bool) {
    var bench = ConnectorBench.withLogin(cursors: isKnown ? #"{"home":"n 5 1794000000000"}"# : "{}")
    bench.connect()
    let page = ServerTests.status("9", created: "2026-11-18T11:01:39Z")
    bench.answer(ConnectorBench.home, 200, "[\(page)]")
    bench.answerNotifications()
    #expect(bench.batches().joined().contains(#""flags":["unread"]"#) == isKnown)
    #expect(bench.fetches[0].request.url.query == (isKnown ? "limit=40&max_id=5" : "limit=40&max_id=9"))
    bench.answer(ConnectorBench.home, 200, "[\(ServerTests.status("4", created: "2026-11-06T21:00:00Z"))]")
    #expect(bench.batches().joined().contains(#""flags":["unread"]"#) == isKnown)
  }

  @Test("notifications that are let in among the others are read") func merged() {
    var bench = ConnectorBench.live()
    bench.event("notifications_merged", "1")
    bench.answer(ConnectorBench.notifications)
    bench.answer(ConnectorBench.notifications)
    #expect(bench.fetches.isEmpty)
  }

  @Test("it goes on where the daemon says") func cursors() {
    var bench = ConnectorBench.withLogin(cursors: #"{"home":"n 5 1794000000000"}"#)
    bench.answer("/api/v2/instance", 404, "{}")
    bench.answer("/api/v1/instance", 200, ConnectorBench.facts)
    bench.take(.streamOpened(bench.streams[0].number, status: 200))
    bench.answer(ConnectorBench.home, 200, "[\(ServerTests.status("9"))]")
    #expect(
      bench.batches().last?.contains(#"{"gap":{"newer":"2026-11-18T11:06:40Z","older":"2026-11-06T21:20:00Z"}}"#)
        == true)
    bench.answerNotifications()
    #expect(bench.fetches[0].request.url.query == "limit=40&max_id=5")
    bench.answer(ConnectorBench.home)
    #expect(bench.fetches[0].request.url.query == "limit=40&min_id=5")
    bench.answer(ConnectorBench.home)
    #expect(bench.batches().last?.contains(#"{"complete":{"#) == true && bench.lastStatus.contains("live"))
  }

  @Test("a stream that falls silent is closed, and opened again later") func silence() {
    var bench = ConnectorBench.live()
    bench.pass(seconds: 59)
    bench.take(.streamReceived(bench.streams[0].number, Array(":thump\n".utf8)))
    bench.pass(seconds: 59)
    #expect(bench.closed.isEmpty)
    bench.pass(seconds: 1)
    #expect(bench.closed == [bench.streams[0].number] && bench.lastStatus.contains("waiting"))
    bench.pass(seconds: 300)
    #expect(bench.streams.count == 2)
    bench.take(.streamOpened(bench.streams[1].number, status: 200))
    #expect(bench.fetches[0].request.url.query == "limit=40")
  }

  /// A connector whose server has no server-sent events, and the request that it sends by a WebSocket.
  private static func withSocket() -> ConnectorBench {
    var bench = ConnectorBench.withLogin()
    bench.answer("/api/v2/instance", 200, ConnectorBench.facts)
    bench.take(.streamOpened(bench.streams[0].number, status: 404))
    #expect(bench.closed == [bench.streams[0].number] && bench.fetches.isEmpty)
    bench.take(.streamConnected(bench.sockets[0].number))
    return bench
  }

  private static func answer(_ request: [UInt8], status: String = "101 OK") -> [UInt8] {
    let text = String(decoding: request, as: UTF8.self)
    let key = text.split(separator: "Sec-WebSocket-Key: ")[1].prefix { $0 != "\r\n" }
    let accept = Base64.encode(SHA1.digest(of: Array("\(key)258EAFA5-E914-47DA-95CA-C5AB0DC85B11".utf8))) + "="
    let name = text.contains("Sec-WebSocket-Protocol") ? "Sec-WebSocket-Protocol: t0k3n\r\n" : ""
    return Array(
      "HTTP/1.1 \(status)\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: \(accept)\r\n\(name)\r\n"
        .utf8)
  }

  @Test("a server without server-sent events is asked for a WebSocket, which is pinged") func sockets() {
    var bench = Self.withSocket()
    let request = String(decoding: bench.sent, as: UTF8.self)
    #expect(request.hasPrefix("GET /api/v1/streaming?stream=user HTTP/1.1\r\nHost: a.example\r\n"))
    #expect(request.contains("\r\nAuthorization: Bearer t0k3n\r\n"))
    let number = bench.sockets[0].number
    bench.take(.streamReceived(number, Self.answer(bench.sent)))
    bench.answer(ConnectorBench.home)
    bench.answerNotifications()
    #expect(bench.lastStatus.contains("live"))
    let text = Array(#"{"stream":["user"],"event":"delete","payload":"8"}"#.utf8)
    bench.take(.streamReceived(number, [0x81, UInt8(text.count)] + text))
    #expect(bench.batches().last?.contains("a.example#8") == true)
    bench.sent = []
    bench.pass(seconds: 30)
    #expect(bench.sent.count == 6 && bench.sent[0] == 0x89, "a ping")
    bench.pass(seconds: 29)
    bench.take(.streamReceived(number, [0x8A, 0]))
    bench.pass(seconds: 59)
    #expect(bench.closed.count == 1)
    bench.pass(seconds: 1)
    #expect(bench.closed.count == 2 && bench.lastStatus.contains("waiting"))
  }

  @Test("a server that does not look into Authorization gets the token as a protocol; one without any stream is polled")
  func otherSockets() {
    var bench = Self.withSocket()
    bench.take(.streamReceived(bench.sockets[0].number, Self.answer(bench.sent, status: "401 Unauthorized")))
    #expect(bench.sockets.count == 2 && bench.closed.count == 2)
    bench.sent = []
    bench.take(.streamConnected(bench.sockets[1].number))
    let request = String(decoding: bench.sent, as: UTF8.self)
    #expect(request.contains("Sec-WebSocket-Protocol: t0k3n\r\n") && !request.contains("Authorization"))
    bench.take(.streamReceived(bench.sockets[1].number, Self.answer(bench.sent)))
    #expect(bench.fetches[0].request.url.path == ConnectorBench.home)
    bench = Self.withSocket()
    bench.take(.streamReceived(bench.sockets[0].number, Array("HTTP/1.1 404 Not Found\r\n\r\n".utf8)))
    #expect(bench.closed.count == 2 && bench.fetches[0].request.url.path == ConnectorBench.home)
  }

  @Test("a server without streams is asked every minute, but for direct conversations") func polling() {
    var bench = Self.withSocket()
    bench.take(.streamReceived(bench.sockets[0].number, Array("HTTP/1.1 404 Not Found\r\n\r\n".utf8)))
    bench.answer(ConnectorBench.home)
    bench.answerNotifications()
    #expect(bench.lastStatus.contains("polling") && bench.closed.count == 2)
    bench.pass(seconds: 59)
    #expect(bench.fetches.isEmpty)
    bench.pass(seconds: 1)
    #expect(bench.fetches.count == 1 && bench.streams.count == 1)
    bench.answer(ConnectorBench.home)
    bench.answerNotifications()
    #expect(bench.fetches.isEmpty && bench.messagesAsked == 1)
  }

  @Test("a server without direct conversations is not asked for them again for a day", arguments: [(404, 1), (200, 2)])
  func noMessages(status: Int, count: Int) {
    var bench = ConnectorBench.withLogin()
    bench.messagesStatus = status
    bench.connect()
    bench.answer(ConnectorBench.home)
    bench.answerNotifications()
    bench.take(.streamEnded(bench.streams[0].number, "the server closed the stream"))
    bench.pass(seconds: 10)
    bench.take(.streamOpened(bench.streams[1].number, status: 200))
    bench.answer(ConnectorBench.home)
    bench.answerNotifications()
    #expect(bench.messagesAsked == count)
  }

  @Test("a stream that fails three times is polled instead, and tried again later; so is one that does not last")
  func brokenStreams() {
    var bench = ConnectorBench.withLogin()
    bench.answer("/api/v2/instance", 200, ConnectorBench.facts)
    for attempt in 1...3 {
      #expect(bench.streams.count == attempt && bench.fetches.isEmpty)
      let number = bench.streams.last!.number
      bench.take(attempt == 2 ? .streamOpened(number, status: 502) : .streamEnded(number, "connection refused"))
      if attempt < 3 {
        #expect(bench.lastStatus.contains("waiting"))
        bench.pass(seconds: 4)
      }
    }
    bench.answer(ConnectorBench.home)
    bench.answerNotifications()
    #expect(bench.lastStatus.contains("polling") && bench.lastStatus.contains("connection refused"))
    bench.pass(seconds: 60)
    #expect(bench.streams.count == 4 && bench.fetches.isEmpty, "it is tried again")
    bench.take(.streamEnded(bench.streams.last!.number, "connection refused"))
    bench.answer(ConnectorBench.home)
    bench.answerNotifications()
    bench.pass(seconds: 60)
    bench.answer(ConnectorBench.home)
    bench.answerNotifications()
    #expect(bench.streams.count == 4 && bench.lastStatus.contains("polling"))
    bench.pass(seconds: 60)
    #expect(bench.streams.count == 5, "and again after twice as long")
    bench.take(.streamOpened(bench.streams.last!.number, status: 200))
    bench.answer(ConnectorBench.home)
    bench.answerNotifications()
    #expect(bench.lastStatus.contains("live"))
    for _ in 0..<2 { thump(&bench) }
    bench.take(.streamEnded(bench.streams.last!.number, "the server closed the stream"))
    #expect(bench.lastStatus.contains("waiting"), "it has lasted: this is the first failure")
  }

  @Test("while a whole server is down its stream is not given up") func serverDown() {
    var bench = ConnectorBench.live()
    for _ in 0..<8 {
      bench.take(.streamEnded(bench.streams.last!.number, "connection refused"))
      if let fetch = bench.fetches.popLast() {
        bench.take(.fetched(fetch.number, .failure(FetchFailure("connection refused"))))
      }
      bench.pass(seconds: 300)
    }
    #expect(bench.lastStatus.contains("connecting") || bench.lastStatus.contains("waiting"))
    bench.take(.streamOpened(bench.streams.last!.number, status: 200))
    bench.answer(ConnectorBench.home)
    bench.answerNotifications()
    #expect(bench.lastStatus.contains("live"))
  }

  @Test("a delete is a question: first whether the post is here, then whether it is gone", arguments: [200, 404, 403])
  func deletes(status: Int) {
    var bench = ConnectorBench.live()
    bench.event("delete", "8")
    bench.event("delete", "9")
    #expect(bench.batches(have: ["a.example#9"]).joined().contains(#"{"doubt":"a.example#9"}"#))
    #expect(bench.fetches.count == 1)
    bench.answer("/api/v1/statuses/9", status, "{}")
    let item = bench.batches().last ?? ""
    #expect(item.contains(status == 404 ? #"{"gone":"a.example#9"}"# : #"{"left":"a.example#9","in":["home"]}"#))
  }

  @Test("a status that the server cannot show now is asked for again behind the next pages, and the stream stays")
  func laterLookups() {
    for answer in [(503, "{}"), (200, "<html>")] {
      var bench = ConnectorBench.live()
      bench.event("delete", "9")
      _ = bench.batches(have: ["a.example#9"])
      bench.answer("/api/v1/statuses/9", answer.0, answer.1)
      #expect(bench.batches().isEmpty && bench.closed.isEmpty && bench.fetches.isEmpty)
      for _ in 0..<60 {
        bench.pass(seconds: 30)
        bench.take(.streamReceived(bench.streams[0].number, Array(":\n".utf8)))
      }
      bench.answer(ConnectorBench.home)
      bench.answerNotifications()
      bench.answer("/api/v1/statuses/9", 404, "{}")
      #expect(bench.batches().last?.contains(#"{"gone":"a.example#9"}"#) == true && bench.closed.isEmpty)
    }
  }

  @Test("two logins at a server: what one does not find has left its timeline only") func severalLogins() {
    var bench = ConnectorBench.live()
    bench.tell(#"{"tell":"login","login":"bea@a.example","account":"bea","cursors":{}}"#)
    bench.event("delete", "9")
    _ = bench.batches(have: ["a.example#9"])
    bench.answer("/api/v1/statuses/9", 404, "{}")
    #expect(bench.batches().last?.contains(#"{"left":"a.example#9""#) == true)
  }

  @Test("401 signs out at once: the stream is closed, and nothing is asked any more") func signedOut() {
    var bench = ConnectorBench.live()
    bench.pass(seconds: 30)
    bench.event("delete", "9")
    _ = bench.batches(have: ["a.example#9"])
    bench.answer("/api/v1/statuses/9", 401, #"{"error":"The access token was revoked"}"#)
    #expect(
      bench.lastStatus.contains("signed_out") && bench.lastStatus.contains("was revoked") && bench.closed.count == 1)
    bench.pass(seconds: 100_000)
    #expect(bench.fetches.isEmpty && bench.streams.count == 1)
  }

  @Test("429 is waited for, as the server says") func patience() {
    var bench = ConnectorBench.withLogin()
    bench.answer("/api/v2/instance", 429, "{}", fields: ["retry-after": "120"])
    #expect(bench.lastStatus.contains("waiting") && bench.lastStatus.contains(#""next":1795000120000"#))
    bench.pass(seconds: 119)
    #expect(bench.fetches.isEmpty)
    bench.pass(seconds: 1)
    #expect(bench.fetches.count == 1)
  }

  @Test(
    "while the server builds the timeline it is asked every two seconds, ten times, and later again; nothing is read")
  func building() {
    var bench = ConnectorBench.withLogin()
    bench.connect()
    for _ in 0..<10 {
      bench.answer(ConnectorBench.home, 206, "[\(ServerTests.status("2"))]")
      #expect(bench.fetches.isEmpty && bench.lastStatus.contains("the server is building the timeline"))
      bench.pass(seconds: 2)
    }
    bench.answer(ConnectorBench.home, 206)
    #expect(bench.batches().allSatisfy { !$0.contains("home") } && bench.closed.count == 1 && bench.fetches.isEmpty)
    bench.pass(seconds: 1)
    #expect(bench.streams.count == 2)
  }

  @Test("when it fails it connects again; an answer from before is not read") func failing() {
    var bench = ConnectorBench.live()
    bench.pass(seconds: 50)
    bench.take(.streamReceived(bench.streams[0].number, Array(":\n".utf8)))
    bench.event("delete", "9")
    _ = bench.batches(have: ["a.example#9"])
    bench.take(.streamEnded(bench.streams[0].number, "the server closed the stream"))
    #expect(bench.lastStatus.contains("the server closed the stream"))
    bench.answer("/api/v1/statuses/9", 404, "{}")
    #expect(bench.batches().isEmpty, "the answer is of the last connection")
    bench.pass(seconds: 300)
    bench.take(.streamOpened(bench.streams[1].number, status: 200))
    bench.answer(ConnectorBench.home)
    bench.answerNotifications()
    bench.answer("/api/v1/statuses/9", 404, "{}")
    #expect(bench.batches().joined().contains("gone"))
  }

  @Test("while the daemon stores nothing a stream is held; one that brings too much ends, and pages are read later")
  func fullDaemon() {
    var bench = ConnectorBench.live()
    let text = String(repeating: "x", count: 100_000)
    func event(_ number: Int) {
      bench.event("update", ServerTests.status("\(number)", more: #","spoiler_text":"\#(text)""#))
    }
    for number in 0..<45 { event(number) }
    #expect(bench.lines.count == 8 && bench.closed.isEmpty, "the credit")
    bench.event("delete", "1")
    #expect(bench.fetches.isEmpty)
    var bytes = bench.batches().reduce(0) { $0 + $1.utf8.count }
    #expect(bytes > 45 * text.utf8.count, "what was held is sent")
    bench.lines = []
    for number in 45..<200 { event(number) }
    #expect(bench.closed.count == 1 && bench.lastStatus.contains("more than can be held"))
    bench.pass(seconds: 600)
    #expect(bench.fetches.isEmpty && bench.streams.count == 1)
    bytes = bench.batches().reduce(0) { $0 + $1.utf8.count }
    #expect(bytes < 5 << 20)
    #expect(bench.streams.count == 2, "it begins again when the daemon does")
  }

  @Test("each status that may be gone is asked for once; of too many the oldest stay") func queuedLookups() {
    var bench = ConnectorBench.live()
    for round in 0..<3 {
      for number in 0..<100 { bench.event("delete", "\(round * 100 + number)") }
      _ = bench.batches(have: (0..<300).map { "a.example#\($0)" })
    }
    var asked: [String] = []
    while !bench.fetches.isEmpty {
      let (number, request) = bench.fetches.removeFirst()
      asked.append(request.url.path)
      bench.take(.fetched(number, .success(RequestBudgetTests.response(200, [:], body: "{}"))))
      if bench.fetches.isEmpty { for _ in 0..<10 { thump(&bench) } }
    }
    #expect(Set(asked).count == asked.count && asked.count <= 2 * RequestBudget.openLimit + SideRequests.lookupLimit)
    _ = bench.batches()
  }

  /// Half a minute passes, in which the stream shows that it is alive.
  private func thump(_ bench: inout ConnectorBench) {
    bench.pass(seconds: 30)
    bench.take(.streamReceived(bench.streams.last!.number, Array(":\n".utf8)))
  }

  @Test("a page that the daemon refuses is read once more after a pause, from where everything is stored")
  func refusedPage() {
    var bench = ConnectorBench.withLogin(cursors: #"{"home":"n 1 1794000000000"}"#)
    bench.connect()
    _ = bench.batches()
    let page = "[\(ServerTests.status("3")),\(ServerTests.status("2")),\(ServerTests.status("1"))]"
    bench.answer(ConnectorBench.home, 200, page)
    bench.answerNotifications()
    bench.event("update", ServerTests.status("4"))
    bench.answerBatch(#""ok":false,"reason":"too many cursors""#)
    #expect(bench.log == ["ann@a.example: the daemon refuses posts: too many cursors"])
    #expect(bench.lastStatus.contains("failing") && bench.lastStatus.contains("too many cursors"))
    #expect(bench.closed.count == 1)
    // What was sent behind it may be stored; the cursors go back all the same.
    let back = bench.batches().last ?? ""
    #expect(back.contains(#""items":[]"#) && back.contains(#""home":"n 1 1794000000000""#))
    bench.fetches = []
    bench.pass(seconds: 299)
    #expect(bench.streams.count == 1)
    bench.pass(seconds: 1)
    bench.take(.streamOpened(bench.streams[1].number, status: 200))
    bench.answer(ConnectorBench.home, 200, page)
    let again = bench.batches().last ?? ""
    #expect(again.contains("statuses/3") && again.contains("statuses/2") && again.contains(#""home":"n 3"#))
    // A batch without items that is refused too is no reason to begin again.
    bench.answer(ConnectorBench.notifications, 200, "[]")
    bench.answerBatch(#""ok":false,"reason":"no""#)
    #expect(bench.closed.count == 1 && bench.log.count == 2)
  }

  @Test("an item that is not stored is told in the log and, for a day, in the status") func refusedItems() {
    var bench = ConnectorBench.live()
    bench.event("update", ServerTests.status("4"))
    bench.answerBatch(#""revision":2,"refused":[{"item":0,"reason":"has no usable ID"}]"#)
    #expect(bench.log == ["ann@a.example: not stored: has no usable ID"])
    #expect(bench.lastStatus.contains("live") && bench.lastStatus.contains("not stored: has no usable ID"))
    bench = ConnectorBench.withLogin()
    bench.connect()
    let text = String(repeating: "x", count: 1 << 20)
    let long = ServerTests.status("2", more: #","spoiler_text":"\#(text)""#)
    bench.answer(ConnectorBench.home, 200, "[\(long),\(ServerTests.status("1"))]")
    let sent = bench.batches().last ?? ""
    #expect(sent.contains("statuses/1") && sent.utf8.count < 10_000, "no line can hold it")
    #expect(bench.log == ["ann@a.example: not stored: longer than a line can be"])
  }

  @Test("a login that is gone is forgotten with its stream") func gone() {
    var bench = ConnectorBench.live()
    bench.tell(#"{"tell":"gone","login":"ann@a.example"}"#)
    #expect(bench.closed.count == 1 && bench.connector.deadline(after: bench.now) == nil)
    bench.take(.streamReceived(1, [1]))
    bench.take(.fetched(1, .failure(FetchFailure("late"))))
    #expect(bench.fetches.map(\.request.url.path) == ["/oauth/revoke"])
  }

  @Test("a person has a gap read on") func older() {
    var bench = ConnectorBench.live()
    bench.tell(#"{"want":"older","id":"w1","login":"ann@a.example","newer":1795000000000,"older":1794000000000}"#)
    #expect(bench.lines.last?.contains(#"{"id":"w1","ok":false"#) == true)
    let cursors = #"{"home":"n 9 1795000000000\ng 8 1795000000000 20 5 1794000000000"}"#
    bench = ConnectorBench.withLogin(cursors: cursors)
    bench.connect()
    bench.answer(ConnectorBench.home, 200, "[\(ServerTests.status("9"))]")
    bench.answerNotifications()
    bench.answer(ConnectorBench.home)
    #expect(bench.fetches.isEmpty && bench.lastStatus.contains("live"))
    bench.tell(#"{"want":"older","id":"w2","login":"ann@a.example","newer":1795000000000,"older":1794000000000}"#)
    #expect(bench.fetches[0].request.url.query == "limit=40&min_id=5")
    bench.answer(ConnectorBench.home)
    #expect(!bench.lines.contains { $0.contains("w2") }, "its posts are not stored yet")
    _ = bench.batches()
    #expect(bench.lines.contains(#"{"id":"w2","ok":true}"#))
  }

  @Test("invalid lines are logged or ignored", arguments: ["", "{", "[]", "7", #"{"tell":"login"}"#, #"{"want":"x"}"#])
  func nonsense(line: String) {
    var bench = ConnectorBench()
    bench.tell(line)
    #expect(bench.lines.count == 1 && bench.fetches.isEmpty)
  }

  @Test("unknown wants and commands are refused") func refusals() {
    var bench = ConnectorBench()
    bench.tell(#"{"want":"tea","id":"w1"}"#)
    bench.tell(#"{"do":"dance","id":"c1"}"#)
    #expect(bench.lines.count { $0.contains(#""ok":false"#) } == 2)
  }
}
