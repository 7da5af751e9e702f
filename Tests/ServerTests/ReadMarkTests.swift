import ClientTransport
import Messages
import RPC
import Testing
import UV
import ViewState

@Suite("Marking posts as read or unread")
struct ReadMarkTests {
  private func mark(_ client: TestClient, _ readMark: RowReadMark, _ posts: [UInt64]) throws -> MarkReadResponse {
    try client.call(Method.markRead, MarkReadRequest(readMark, posts: posts.map { "\($0)" }))
  }

  private func readMarks(_ view: TestView) -> [RowReadMark] {
    view.mirror.panes.last?.rows.map(\.content.fields.readMark) ?? []
  }

  @Test("every view of the account shows it, other accounts see nothing, and one undo reverts it all") func marking()
    throws
  {
    try withBench { bench in
      let people = try People(bench)
      let posts = try ["one", "two", "three"].map { try people.ann.post($0).postID }
      let views = [try people.ann.attach(), try people.ann.watch(), try people.bea.attach()]
      for view in views { try view.wait(for: "the posts") { $0.topRows == posts.reversed() } }
      let theirs = views[2].mirror.panes
      #expect(try mark(people.ann, .unread, [posts[0], posts[2]]).changed == 2)
      for view in views.prefix(2) {
        try view.wait(for: "two marks") { _ in readMarks(view) == [.unread, .none, .unread] }
      }
      #expect(try mark(people.ann, .read, posts).changed == 3)
      for view in views.prefix(2) { try view.wait(for: "all read") { _ in readMarks(view) == [.read, .read, .read] } }
      let undone: UndoResponse = try people.ann.call(Method.undo, UndoRequest())
      #expect(undone.description == "marking 3 posts as read")
      for view in views.prefix(2) {
        try view.wait(for: "two marks again") { _ in readMarks(view) == [.unread, .none, .unread] }
      }
      let last = try people.ann.post("four").postID
      try views[2].wait(for: "what comes after it") { $0.topRows.first == last }
      #expect(views[2].mirror.panes[0].rows.dropFirst().map(\.content) == theirs[0].rows.map(\.content))
    }
  }

  @Test("unread posts of a section can be paged through, and is:unread elsewhere is refused") func rows() throws {
    try withBench { bench in
      let people = try People(bench)
      let posts = try (0..<6).map { try people.ann.post("post \($0)").postID }
      _ = try mark(people.ann, .read, [posts[5], posts[3]])
      var request = GetRowsRequest(layout: .test)
      (request.filter, request.count) = ("is:unread", 2)
      var found: [UInt64] = []
      while true {
        let page: GetRowsResponse = try people.ann.call(Method.getRows, request)
        found += page.rows.map(\.rowID)
        guard page.hasMore, let last = page.rows.last else { break }
        (request.anchorRow, request.anchorAtMilliseconds) = (last.rowID, last.content.fields.createdAtMilliseconds)
      }
      #expect(found == [posts[4], posts[2], posts[1], posts[0]])
      request.session = "another"
      #expect(try people.ann.refusal(of: Method.getRows, request).code == .notFound)
      request.session = String(repeating: "a", count: 65)
      #expect(try people.ann.refusal(of: Method.getRows, request).code == .invalidArgument)
      (request.session, request.subject) = ("", .search("post"))
      #expect(try people.ann.refusal(of: Method.getRows, request).message.contains("is:unread works only"))
    }
  }

  @Test("invalid requests are refused, naming the field") func refusals() throws {
    try withBench { bench in
      let people = try People(bench)
      let post = "\(try people.ann.post("one").postID)"
      func refusal(_ request: MarkReadRequest) throws -> (StatusCode, String) {
        let status = try people.ann.refusal(of: Method.markRead, request)
        return (status.code, try ErrorDetails(decoding: status.details).fieldViolations.first?.field ?? "")
      }
      var nothing = MarkReadRequest(.read, posts: [post])
      nothing.readMark = nil
      #expect(try refusal(nothing) == (.invalidArgument, "read_mark"))
      #expect(try refusal(MarkReadRequest(.read, posts: [])) == (.invalidArgument, "posts"))
      let many = Array(repeating: post, count: SharedLimits.readMarksAtOnce + 1)
      #expect(try refusal(MarkReadRequest(.read, posts: many)) == (.invalidArgument, "posts"))
      #expect(try refusal(MarkReadRequest(.read, posts: [post, "999"])).0 == .notFound)
      #expect(try people.ann.rows().rows.map(\.content.fields.readMark) == [.none])
    }
  }
}
