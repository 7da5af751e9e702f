import ClientTransport
import Messages
import RPC
import Testing
import ViewState

@Suite("Writing posts")
struct ComposeTests {
  @Test("the same request id writes one post") func requestID() throws {
    try withBench { bench in
      let client = try bench.daemon().connect()
      let first = try client.post("said once", requestID: "r1")
      let second = try client.post("said once", requestID: "r1")
      let third = try client.post("said once", requestID: "r2")
      #expect(first.postID == second.postID && first.postID != third.postID)
      #expect(second.revision >= first.revision)
      #expect(try client.rows().rows.map(\.rowID) == [third.postID, first.postID])
    }
  }

  @Test("the same request id writes one post even when both are asked at once") func atOnce() throws {
    try withBench { bench in
      let daemon = try bench.daemon()
      let clients = [try daemon.connect(), try daemon.connect()]
      var request = ComposeRequest(text: "said once")
      request.requestID = "r"
      var answers: [UInt64] = []
      for client in clients {
        client.channel.unary(Method.compose, request.encoded()) { result in
          let answer = (try? result.get()).flatMap { try? ComposeResponse(decoding: $0) }
          answers.append(answer?.postID ?? 0)
        }
      }
      try bench.wait(for: "both answers") { answers.count == 2 }
      #expect(answers[0] == answers[1] && answers[0] != 0)
      #expect(try clients[0].rows().rows.count == 1)
    }
  }

  @Test(
    "nothing said is INVALID_ARGUMENT, and neither is what nobody sees",
    arguments: ["", " ", " \n\n ", "\u{200B}\u{2060}", " \u{200B}\n\u{3000}", "\u{7}", "\u{202E}", "\u{AD}\u{3164}\u{FE0F}", "\u{E0041}"])
  func empty(text: String) throws {
    try withBench { bench in
      let client = try bench.daemon().connect()
      let refusal = try client.refusal(of: Method.compose, ComposeRequest(text: text))
      #expect(refusal.code == .invalidArgument && refusal.message == "the text is empty; a post says something")
      try client.post("\u{200B}\u{1F9A6}")
    }
  }

  @Test("10,000 bytes are a post, one more is INVALID_ARGUMENT, and what is above the request limit RESOURCE_EXHAUSTED")
  func length() throws {
    try withBench { bench in
      let client = try bench.daemon().connect()
      try client.post(String(repeating: "x", count: 10_000))
      let long = ComposeRequest(text: String(repeating: "x", count: 10_001))
      let refusal = try client.refusal(of: Method.compose, long)
      #expect(refusal.code == .invalidArgument && refusal.message.contains("10001"))
      let huge = ComposeRequest(text: String(repeating: "x", count: 70_000))
      #expect(try client.refusal(of: Method.compose, huge).code == .resourceExhausted)
      #expect(try client.rows().rows.count == 1)
    }
  }

  @Test("an answer to nothing is NOT_FOUND", arguments: ["4711", "twitter:20", "no reference"])
  func unknownParent(reference: String) throws {
    try withBench { bench in
      let client = try bench.daemon().connect()
      var request = ComposeRequest(text: "an answer")
      request.inReplyTo = reference
      #expect(try client.refusal(of: Method.compose, request).code == .notFound)
    }
  }

  @Test("a link, a tag and a person in the text are spans of the row") func spans() throws {
    try withBench { bench in
      let client = try bench.daemon().connect()
      try client.post("@ann see https://example.org/é #otters")
      let row = try #require(try client.rows().rows.first).content.fields
      #expect(row.spans.map(\.kind) == [.mention, .link, .hashtag])
      #expect(row.spans.map { String(decoding: $0.target, as: UTF8.self) } == ["ann", "https://example.org/é", "otters"])
    }
  }
}
