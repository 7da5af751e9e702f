import ClientTransport
import Messages
import RPC
import Testing
import UV
import ViewState

@Suite("Visibility and deletion")
struct VisibilityTests {
  private func compose(
    _ client: TestClient, _ text: String, _ visibility: ComposeVisibility, answering parent: UInt64? = nil
  ) throws -> UInt64 {
    try client.call(Method.compose, request(text, visibility, answering: parent), ComposeResponse.self).postID
  }

  private func request(_ text: String, _ visibility: ComposeVisibility, answering parent: UInt64? = nil)
    -> ComposeRequest
  {
    var request = ComposeRequest(text: text)
    request.visibility = visibility
    request.inReplyTo = parent.map { "\($0)" } ?? ""
    return request
  }

  /// Returns the post if the client may see it.
  private func see(_ client: TestClient, _ post: UInt64) throws -> RowContent.Fields? {
    var request = GetRowsRequest(layout: .test)
    request.subject = .post("\(post)")
    do {
      return try client.call(Method.getRows, request, GetRowsResponse.self).rows.first?.content.fields
    } catch let status as Status where status.code == .notFound {
      return nil
    }
  }

  @Test("a direct post is visible to those it names, in any case, and replies reach no one else") func direct() throws {
    try withBench { bench in
      let people = try People(bench)
      let post = try compose(people.ann, "@Bea this is for you", .direct)
      #expect(try see(people.bea, post)?.visibility == 4 && see(people.ann, post) != nil)
      #expect(try see(people.cyd, post) == nil)
      #expect(
        try people.cyd.refusal(of: Method.compose, request("what?", .everybody, answering: post)).code == .notFound)
      // A reply never reaches more people than the post it answers.
      let answer = try compose(people.bea, "thanks, @ann", .everybody, answering: post)
      #expect(try see(people.ann, answer)?.visibility == 4)
      #expect(try see(people.cyd, answer) == nil)
    }
  }

  @Test("after unfollowing, a view keeps the account's reply and loses the post that it replied to") func keeps()
    throws
  {
    try withBench { bench in
      let people = try People(bench)
      let post = try compose(people.ann, "for those who follow me", .followers)
      let answer = try compose(people.bea, "I do", .everybody, answering: post)
      let views = [try people.bea.attach(), try people.cyd.attach()]
      for view in views { try view.wait(for: "both") { $0.topRows == [answer, post] } }
      _ = try people.bea.call(Method.unfollow, AuthorRequest(author: "@ann"), RevisionResponse.self)
      try views[0].wait(for: "what is left") { $0.topRows == [answer] }
      let second = try compose(people.ann, "still there?", .everybody, answering: answer)
      try views[1].wait(for: "three") { $0.topRows == [second, answer, post] }
      #expect(views[0].mirror.topRows == [answer] && views.allSatisfy { $0.end == nil })
    }
  }

  @Test("a direct post that names no one, or an unknown account, is refused with the reason") func namesNobody() throws
  {
    try withBench { bench in
      let people = try People(bench)
      for (text, words) in [
        ("hello", "needs a recipient"), ("@ann to myself", ""), ("@bea and @nobody", "nobody"),
        ("mail bea@example.org", "needs a recipient"),
      ] {
        let refusal = try people.ann.refusal(of: Method.compose, request(text, .direct))
        if words.isEmpty { continue }
        #expect(refusal.code == .invalidArgument && refusal.message.contains(words), "\(text): \(refusal)")
        #expect(try ErrorDetails(decoding: refusal.details).fieldViolations.map(\.field) == ["text"])
      }
      #expect(try people.ann.rows().rows.allSatisfy { $0.content.fields.visibility == 4 })
    }
  }

  @Test("a post for followers disappears when a follower unfollows, and returns with the follow") func followers()
    throws
  {
    try withBench { bench in
      let people = try People(bench)
      let view = try people.bea.attach()
      try view.waitForFirstFrame()
      let post = try compose(people.ann, "for followers", .followers)
      try view.wait(for: "the post") { $0.topRows == [post] }
      #expect(try see(people.cyd, post)?.visibility == 3)
      _ = try people.bea.call(Method.unfollow, AuthorRequest(author: "ann"), RevisionResponse.self)
      #expect(try see(people.bea, post) == nil)
      try view.wait(for: "its end") { $0.topRows.isEmpty }
      _ = try people.bea.call(Method.follow, AuthorRequest(author: "ann"), RevisionResponse.self)
      try view.wait(for: "its return") { $0.topRows == [post] }
    }
  }

  @Test("a deleted post leaves every view, with its pane; a repeated request is applied once") func deleted() throws {
    try withBench { bench in
      let people = try People(bench)
      let kept = try people.ann.post("kept").postID
      let post = try people.ann.post("a mistake").postID
      let view = try people.bea.attach()
      try view.wait(for: "both") { $0.topRows == [post, kept] }
      let pushed = try people.bea.call(Method.push, PushRequest(conversation: "\(post)"), PaneResponse.self)
      try view.wait(for: "the pane") { $0.panes.last?.header.paneID == pushed.paneID }

      for client in [people.bea, people.bench.owner] {
        #expect(try client.refusal(of: Method.delete, DeleteRequest(post: "\(post)")).code == .permissionDenied)
      }
      var request = DeleteRequest(post: "\(post)")
      request.requestID = "once"
      let first = try people.ann.call(Method.delete, request, RevisionResponse.self)
      try view.wait(for: "its end") { $0.panes.count == 1 && $0.topRows == [kept] }
      #expect(try people.ann.call(Method.delete, request, RevisionResponse.self).revision >= first.revision)
      request.requestID = "twice"
      #expect(try people.ann.refusal(of: Method.delete, request).code == .notFound)
      #expect(try people.bea.export().count == 1)
    }
  }

  @Test(
    "deleting by the source's ID is applied once too, and a request id of another command deletes nothing")
  func deletedByName() throws {
    try withBench { bench in
      let people = try People(bench)
      let kept = try people.ann.post("kept", requestID: "compose").postID
      let line = try #require(try people.ann.export().first)
      let id = try #require(line.split(separator: #""id":""#).dropFirst().first?.split(separator: #"""#).first)
      var request = DeleteRequest(post: "stack:\(id)")
      request.requestID = "once"
      for _ in 0..<2 { _ = try people.ann.call(Method.delete, request, RevisionResponse.self) }
      #expect(try see(people.ann, kept) == nil)
      let other = try people.ann.post("also kept", requestID: "another").postID
      request = DeleteRequest(post: "stack:nothing")
      request.requestID = "another"
      #expect(try people.ann.refusal(of: Method.delete, request).code == .notFound)
      #expect(try see(people.ann, other) != nil)
    }
  }
}
