import ClientTransport
import Messages
import RPC
import Testing
import UV
import ViewState

@Suite("Favourites and reposts show in every view, private marks only to their account")
struct MarkTests {
  private struct Two {
    let ann: TestClient
    let bea: TestClient
    let post: UInt64

    /// Two accounts, and a post of Ann's.
    init(_ bench: Bench) throws {
      let people = try People(bench)
      (ann, bea) = (people.ann, people.bea)
      post = try ann.post("a quiet morning").postID
    }
  }

  private func mark(_ client: TestClient, _ kind: MarkKind, _ post: UInt64, undo: Bool = false) throws -> MarkResponse {
    try client.call(Method.mark, MarkRequest(kind, post: "\(post)", isUnmark: undo), MarkResponse.self)
  }

  private func row(_ view: TestView, _ post: UInt64) -> RowContent.Fields? {
    view.mirror.panes.last?.rows.first { $0.content.fields.rowID == post }?.content.fields
  }

  @Test(
    "a favourite counts in all views and is flagged in its account's; repeating it is harmless, and it can be undone")
  func favourite() throws {
    try withBench { bench in
      let two = try Two(bench)
      let views = [try two.ann.attach(), try two.bea.attach()]
      for view in views { try view.wait(for: "the post") { $0.topRows == [two.post] } }
      let answer = try mark(two.bea, .favourite, two.post)
      #expect(answer.hasChanged && answer.repostID == 0)
      for view in views { try view.wait(for: "its count") { _ in row(view, two.post)?.favourites == 1 } }
      #expect(row(views[0], two.post)?.flags == [] && row(views[1], two.post)?.flags == .favourited)
      #expect(try !mark(two.bea, .favourite, two.post).hasChanged)
      _ = try mark(two.ann, .favourite, two.post)
      for view in views { try view.wait(for: "both") { _ in row(view, two.post)?.favourites == 2 } }
      _ = try mark(two.bea, .favourite, two.post, undo: true)
      for view in views { try view.wait(for: "one") { _ in row(view, two.post)?.favourites == 1 } }
      #expect(row(views[0], two.post)?.flags == .favourited && row(views[1], two.post)?.flags == [])
    }
  }

  @Test("a repeated repost request returns the first repost while that exists")
  func repeatedRepost() throws {
    try withBench { bench in
      let two = try Two(bench)
      var request = MarkRequest(.repost, post: "\(two.post)")
      request.requestID = "once"
      let first = try two.bea.call(Method.mark, request, MarkResponse.self)
      #expect(first.hasChanged && first.repostID != 0)
      let again = try two.bea.call(Method.mark, request, MarkResponse.self)
      #expect(!again.hasChanged && again.repostID == first.repostID)
      #expect(try mark(two.bea, .repost, two.post).repostID == 0, "another command made none")
      _ = try mark(two.bea, .repost, two.post, undo: true)
      #expect(try two.bea.call(Method.mark, request, MarkResponse.self).repostID == 0, "it has gone")
    }
  }

  @Test("saving a post changes nothing for other accounts") func save() throws {
    try withBench { bench in
      let two = try Two(bench)
      let views = [try two.ann.attach(), try two.bea.attach()]
      for view in views { try view.wait(for: "the post") { $0.topRows == [two.post] } }
      let before = row(views[0], two.post)
      _ = try mark(two.bea, .save, two.post)
      try views[1].wait(for: "the flag") { _ in row(views[1], two.post)?.flags == .saved }
      let last = try two.ann.post("later").postID
      try views[0].wait(for: "what comes after it") { $0.topRows == [last, two.post] }
      #expect(row(views[0], two.post) == before)
    }
  }

  @Test("a repost tops every timeline; undone or deleted, it goes with its count") func repost() throws {
    try withBench { bench in
      let two = try Two(bench)
      let views = [try two.ann.attach(), try two.bea.attach()]
      for takesBack in [true, false] {
        let repost = try mark(two.bea, .repost, two.post).repostID
        for view in views {
          try view.wait(for: "the repost") { _ in row(view, repost)?.reposts == 1 && row(view, two.post)?.reposts == 1 }
          #expect(
            view.mirror.topRows == [repost, two.post] && row(view, repost)?.repostedBy?.handle == Array("bea".utf8))
        }
        #expect(row(views[1], two.post)?.flags == .reposted && row(views[0], two.post)?.flags == [])
        // A mark on a repost applies to the post that it shows.
        _ = try mark(two.ann, .favourite, repost)
        for view in views {
          try view.wait(for: "in both rows") { _ in
            row(view, repost)?.favourites == 1 && row(view, two.post)?.favourites == 1
          }
        }
        _ = try mark(two.ann, .favourite, two.post, undo: true)
        if takesBack {
          _ = try mark(two.bea, .repost, two.post, undo: true)
        } else {
          _ = try two.bea.call(Method.delete, DeleteRequest(post: "\(repost)"), RevisionResponse.self)
        }
        for view in views {
          try view.wait(for: "its end") {
            $0.topRows == [two.post] && row(view, two.post)?.reposts == 0 && row(view, two.post)?.flags == []
          }
        }
      }
    }
  }

  @Test(
    "hidden posts are NOT_FOUND, posts for followers cannot be reposted, and a mark without a kind is refused"
  )
  func refused() throws {
    try withBench { bench in
      let two = try Two(bench)
      var secret = ComposeRequest(text: "for my followers")
      secret.visibility = .followers
      let few = try two.ann.call(Method.compose, secret, ComposeResponse.self).postID
      #expect(try two.bea.refusal(of: Method.mark, MarkRequest(.repost, post: "\(few)")).code == .permissionDenied)
      #expect(try mark(two.bea, .favourite, few).hasChanged)
      _ = try two.bea.call(Method.unfollow, AuthorRequest(author: "@ann"), RevisionResponse.self)
      for kind in MarkKind.allCases {
        #expect(try two.bea.refusal(of: Method.mark, MarkRequest(kind, post: "\(few)")).code == .notFound)
      }
      var nothing = MarkRequest(.save, post: "\(two.post)")
      nothing.kind = nil
      #expect(try two.bea.refusal(of: Method.mark, nothing).code == .invalidArgument)
    }
  }
}
