import Messages
import RPC
import Testing
import ViewState

@Suite("GetRows pages through a timeline in both directions")
struct RowsTests {
  @Test("pages contain every row exactly once", arguments: [GetRowsRequest.Direction.down, .up])
  func paging(direction: GetRowsRequest.Direction) throws {
    try withBench { bench in
      let client = try bench.daemon().connect()
      let posts = try (1...7).map { try client.post("post \($0)").postID }
      var pages: [[UInt64]] = []
      var anchor: UInt64 = 0
      while true {
        let page = try client.rows(count: 3, from: anchor, direction)
        // In the pane's order, newest first, whichever way is read.
        let ids = page.rows.map(\.rowID)
        pages.append(ids)
        #expect(page.hasMore == (pages.count < 3))
        guard page.hasMore else { break }
        anchor = try #require(direction == .down ? ids.last : ids.first)
      }
      #expect(pages.map(\.count) == [3, 3, 1])
      let read = direction == .down ? pages.flatMap(\.self) : pages.reversed().flatMap(\.self)
      #expect(read == posts.reversed())
    }
  }

  @Test("a missing row or session is NOT_FOUND, with no field violation") func missing() throws {
    try withBench { bench in
      let client = try bench.daemon().connect()
      try client.post("a question")
      var beyond = GetRowsRequest(layout: .test)
      beyond.anchorRow = 4711
      var elsewhere = GetRowsRequest(layout: .test)
      (elsewhere.filter, elsewhere.session) = ("is:unread", "nowhere")
      for request in [beyond, elsewhere] {
        let status = try client.refusal(of: Method.getRows, request)
        let details = try ErrorDetails(decoding: status.details)
        #expect(status.code == .notFound && details.reason == "NO_SUCH_OBJECT" && details.fieldViolations.isEmpty)
      }
    }
  }

  @Test("a post and a conversation are found by post ID") func subjects() throws {
    try withBench { bench in
      let client = try bench.daemon().connect()
      let first = try client.post("a question").postID
      try client.post("something else")
      let answer = try client.post("an answer", replyingTo: "\(first)").postID
      var request = GetRowsRequest(layout: .test)
      request.subject = .post("\(answer)")
      let post = try client.call(Method.getRows, request, GetRowsResponse.self)
      #expect(post.rows.map(\.rowID) == [answer])
      #expect(post.rows[0].content.fields.inReplyTo == first)
      request.subject = .conversation("\(answer)")
      let conversation = try client.call(Method.getRows, request, GetRowsResponse.self)
      #expect(conversation.rows.map(\.rowID) == [first, answer])
    }
  }

  @Test(
    "a conversation's rows carry the indent of its pane, so they can be placed without a view",
    arguments: [80, 40, 20, 9])
  func indent(width: Int) throws {
    try withBench { bench in
      let client = try bench.daemon().connect()
      let first = try client.post("a question").postID
      try client.post("an answer", replyingTo: "\(first)")
      let _: PaneResponse = try client.call(Method.push, PushRequest(conversation: "\(first)"))
      var hello = Hello.test
      hello.layout.width = width
      let view = try client.watch(hello)
      try view.waitForFirstFrame()
      var request = GetRowsRequest(layout: hello.layout)
      request.subject = .conversation("\(first)")
      let answer = try client.call(Method.getRows, request, GetRowsResponse.self)
      #expect(answer.indent == view.mirror.paneFrames.last?.indent && answer.rows.map(\.tree.depth) == [0, 1])
      #expect(answer.indent == [80: 2, 40: 2, 20: 1, 9: 0][width])
      request.subject = .section(.timeline)
      #expect(try client.call(Method.getRows, request, GetRowsResponse.self).indent == 0)
    }
  }

  @Test("an ambiguous width that is neither 1 nor 2 is 1") func ambiguousWidth() throws {
    try withBench { bench in
      let client = try bench.daemon().connect()
      try client.post(String(repeating: "± ", count: 18))
      var lines: [Int: Int] = [:]
      for width in [0, 1, 2, 3, 7] {
        var layout = LayoutParameters.test
        layout.ambiguousWidth = width
        lines[width] = try client.rows(layout).rows.first?.layout.lineEnds.count
      }
      #expect(lines == [0: 1, 1: 1, 2: 2, 3: 1, 7: 1])
    }
  }

  @Test("a missing post or row is NOT_FOUND; too many rows are INVALID_ARGUMENT") func refusals() throws {
    try withBench { bench in
      let client = try bench.daemon().connect()
      try client.post("the only one")
      var anchored = GetRowsRequest(layout: .test)
      anchored.anchorRow = 4711
      #expect(try client.refusal(of: Method.getRows, anchored).code == .notFound)
      var missing = GetRowsRequest(layout: .test)
      missing.subject = .post("mastodon:nowhere")
      #expect(try client.refusal(of: Method.getRows, missing).code == .notFound)
      for reference in ["x", "1x", ":", "no reference"] {
        missing.subject = .post(reference)
        #expect(try client.refusal(of: Method.getRows, missing).code == .notFound, "\(reference)")
      }
      missing.subject = .conversation("4711")
      #expect(try client.refusal(of: Method.getRows, missing).code == .notFound)
      var greedy = GetRowsRequest(layout: .test)
      greedy.count = 201
      let refusal = try client.refusal(of: Method.getRows, greedy)
      #expect(refusal.code == .invalidArgument && refusal.message.contains("count"))
    }
  }
}
