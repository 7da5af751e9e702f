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

  @Test("the same request id writes one post even if both requests are sent at once") func atOnce() throws {
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

  @Test("a content warning and a language stay with a post, and the warning counts with the text") func warning() throws
  {
    try withBench { bench in
      let client = try bench.daemon().connect()
      var request = ComposeRequest(text: String(repeating: "a", count: 270))
      (request.contentWarning, request.language) = ("ten\nletter", "pt-BR")
      let _: ComposeResponse = try client.call(Method.compose, request)
      let fields = try #require(try client.rows().rows.first).content.fields
      #expect(fields.contentWarning == Array("ten letter".utf8) && fields.language == Array("pt-BR".utf8))
      var measure = MeasureRequest(text: request.text, width: 10)
      measure.contentWarning = request.contentWarning
      let measured: MeasureResponse = try client.call(Method.measure, measure)
      #expect(measured.weightedLength == 280 && measured.remaining == 0)
      var edit = MeasureRequest(text: "b", width: 10)
      edit.editedPost = String(try #require(try client.rows().rows.first).rowID)
      let edited: MeasureResponse = try client.call(Method.measure, edit)
      #expect(edited.weightedLength == 11, "an edit keeps the warning")
      _ = try TestImport(client, TestImport.requests(TestImport.line(1))).report()
      let imported = try #require(try client.rows().rows.first { $0.content.fields.author.handle == Array("ann".utf8) })
      edit.editedPost = String(imported.rowID)
      #expect(try client.refusal(of: Method.measure, edit).code == .permissionDenied)
      request.contentWarning += "s"
      #expect(try client.refusal(of: Method.compose, request).message.contains("281"))
      request = ComposeRequest(text: "a")
      request.contentWarning = String(repeating: "a", count: 1_001)
      let long = try client.refusal(of: Method.compose, request)
      #expect(long.code == .invalidArgument && long.message.contains("1001 bytes"))
      (request.contentWarning, request.language) = ("", "deutsch!")
      let refusal = try client.refusal(of: Method.compose, request)
      #expect(refusal.message == "'deutsch!' is not a language tag, such as en, pt-BR or zh-Hant")
    }
  }

  @Test(
    "a text that is empty or has no visible character is INVALID_ARGUMENT",
    arguments: [
      "", " ", " \n\n ", "\u{200B}\u{2060}", " \u{200B}\n\u{3000}", "\u{7}", "\u{202E}", "\u{AD}\u{3164}\u{FE0F}",
      "\u{E0041}",
    ])
  func empty(text: String) throws {
    try withBench { bench in
      let client = try bench.daemon().connect()
      let refusal = try client.refusal(of: Method.compose, ComposeRequest(text: text))
      #expect(refusal.code == .invalidArgument && refusal.message == "the post is empty")
      try client.post("\u{200B}\u{1F9A6}")
    }
  }

  @Test("10,000 bytes are accepted, one more is INVALID_ARGUMENT, and a request above the limit is RESOURCE_EXHAUSTED")
  func length() throws {
    try withBench { bench in
      let client = try bench.daemon().connect()
      _ = try client.call(Method.setPostLimit, SetPostLimitRequest(10_000), CreateAccountResponse.self)
      try client.post(String(repeating: "x", count: 10_000))
      let long = ComposeRequest(text: String(repeating: "x", count: 10_001))
      let refusal = try client.refusal(of: Method.compose, long)
      #expect(refusal.code == .invalidArgument && refusal.message.contains("10001"))
      let huge = ComposeRequest(text: String(repeating: "x", count: 70_000))
      #expect(try client.refusal(of: Method.compose, huge).code == .resourceExhausted)
      #expect(try client.rows().rows.count == 1)
    }
  }

  @Test("posts are limited to the account's length, 280 by default; refusals and measurements report the limit")
  func limit() throws {
    try withBench { bench in
      let people = try People(bench)
      func left(_ client: TestClient, _ text: String) throws -> MeasureResponse {
        try client.call(Method.measure, MeasureRequest(text: text, width: 10), MeasureResponse.self)
      }
      let full = String(repeating: "漁", count: 140)
      #expect(try left(people.ann, full).weightedLength == 280 && left(people.ann, full).remaining == 0)
      let post = try people.ann.post(full).postID
      #expect(try left(people.ann, full + "!").remaining == -1)
      for refusal in [
        try people.ann.refusal(of: Method.compose, ComposeRequest(text: full + "!")),
        try people.ann.refusal(of: Method.edit, EditRequest(post: "\(post)", text: full + "!")),
      ] {
        #expect(refusal.code == .invalidArgument && refusal.message.contains("too long by 1: 281 of 280"))
        let details = try ErrorDetails(decoding: refusal.details)
        #expect(
          details.fieldViolations.map(\.field) == ["text"] && details.metadata == ["limit": "280", "length": "281"])
      }
      let own = try people.ann.refusal(of: Method.setPostLimit, SetPostLimitRequest(300))
      #expect(own.code == .permissionDenied, "a token that may post must not raise what limits it")
      var other = SetPostLimitRequest(300)
      other.account = "ann"
      let set = try people.bench.owner.call(Method.setPostLimit, other, CreateAccountResponse.self)
      #expect(set.account.postLimit == 300 && set.account.name == "ann")
      #expect(try left(people.ann, full + "!").remaining == 19 && left(people.bea, full + "!").remaining == -1)
      try people.ann.post(full + "!")
      let large = SetPostLimitRequest(10_001)
      #expect(try people.bench.owner.refusal(of: Method.setPostLimit, large).code == .invalidArgument)
      other.postLimit = 1
      #expect(try people.bea.refusal(of: Method.setPostLimit, other).code == .permissionDenied)
      #expect(try left(people.bench.owner, String(repeating: "漁", count: 3_333)).remaining == 280 - 6_666)
      other.account = "bea"
      #expect(
        try people.bench.owner.call(Method.setPostLimit, other, CreateAccountResponse.self).account.postLimit == 1)
      #expect(try people.bea.refusal(of: Method.compose, ComposeRequest(text: "no")).code == .invalidArgument)
      (other.account, other.postLimit) = ("ann", 0)
      #expect(
        try people.bench.owner.call(Method.setPostLimit, other, CreateAccountResponse.self).account.postLimit == 280)
    }
  }

  @Test("a reply to a missing post is NOT_FOUND", arguments: ["4711", "twitter:20", "no reference"])
  func unknownParent(reference: String) throws {
    try withBench { bench in
      let client = try bench.daemon().connect()
      var request = ComposeRequest(text: "a reply")
      request.inReplyTo = reference
      #expect(try client.refusal(of: Method.compose, request).code == .notFound)
    }
  }

  @Test("a link, a hashtag and a mention in the text are spans of the row") func spans() throws {
    try withBench { bench in
      let client = try bench.daemon().connect()
      try client.post("@ann see https://example.org/é #otters")
      let row = try #require(try client.rows().rows.first).content.fields
      #expect(row.spans.map(\.kind) == [.mention, .link, .hashtag])
      #expect(
        row.spans.map { String(decoding: $0.target, as: UTF8.self) } == ["ann", "https://example.org/é", "otters"])
    }
  }
}
