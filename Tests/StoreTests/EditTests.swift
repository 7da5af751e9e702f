import Posts
import Testing

@testable import Store

@Suite("Editing local posts")
struct EditTests {
  private func edit(
    _ fixture: Fixture, _ id: PostID, _ text: String, as account: AccountID? = nil, _ request: String = ""
  ) throws -> Commit {
    let text = SafeText(text)
    return try fixture.store.commit([
      .edit(
        Edition(
          account: account ?? fixture.ann, post: id, text: text, spans: TextSpans.find(in: text), requestID: request))
    ])
  }

  private func mentions(_ fixture: Fixture, _ account: AccountID) throws -> [PostID] {
    try fixture.store.page(of: .mentions(account), for: account, limit: 10)?.posts.map(\.id) ?? []
  }

  @Test("an edit updates mentions and search, keeps replies and place, and marks the post as edited") func follows()
    throws
  {
    let fixture = try Fixture()
    let parent = try fixture.write("a question", as: fixture.bob, at: 1)
    let post = try fixture.write("no https://a.example", at: 2, to: parent.id)
    let answer = try fixture.write("why?", as: fixture.bob, at: 3, to: post.id)
    let carol = try fixture.store.account(uid: 1002, name: "carol").id
    #expect(try mentions(fixture, fixture.bob) == [post.id] && mentions(fixture, carol).isEmpty)
    let commit = try edit(fixture, post.id, "yes, @carol #sea")
    #expect(commit.outcomes == [.edited(EditedPost(post: post.id, former: post.body))])
    #expect(commit.changes.changed.map(\.id) == [post.id] && commit.changes.removed.isEmpty)
    #expect(commit.changes.entered == [.mentions(carol): [post.id]], "the post is still in Bob's, as a reply")
    #expect(try mentions(fixture, carol) == [post.id] && mentions(fixture, fixture.bob) == [post.id])
    let body = try #require(commit.changes.changed[0].body.unpacked())
    #expect(
      body.text.string == "yes, @carol #sea" && body.spans.map(\.kind) == [.mention, .hashtag] && body.flags == .edited)
    #expect(commit.changes.changed[0].inReplyTo == parent.id && commit.changes.changed[0].orderKey == post.orderKey)
    #expect(try fixture.store.post(answer.id, visibleTo: fixture.ann)?.inReplyTo == post.id)
    #expect(try edit(fixture, post.id, "yes").changes.left == [.mentions(carol): [post.orderKey]])
    #expect(try fixture.store.integrity() == [], "its words are indexed too")
  }

  @Test("an edit with the same request ID is done once, and the same text is not an edit") func once() throws {
    let fixture = try Fixture()
    let post = try fixture.write("one")
    let first = try edit(fixture, post.id, "two", "r")
    #expect(try edit(fixture, post.id, "three").revision > first.revision)
    let again = try edit(fixture, post.id, "two", "r")
    #expect(again.outcomes == [.edited(EditedPost(post: post.id, former: nil))] && again.changes == Changes())
    #expect(try fixture.texts() == ["three"])
    let other = try fixture.write("same", at: 1)
    #expect(try edit(fixture, other.id, "same").changes == Changes())
    #expect(try fixture.store.post(other.id)?.body.flags == [])
  }

  @Test("an edit does not change the audience of a direct post, regardless of mentions") func audience() throws {
    let fixture = try Fixture()
    let carol = try fixture.store.account(uid: 1002, name: "carol").id
    let post = try fixture.write("@bob psst", .direct)
    let commit = try edit(fixture, post.id, "@carol psst")
    #expect(commit.changes.changed[0].audience == post.audience)
    #expect(try fixture.store.post(post.id, visibleTo: carol) == nil && mentions(fixture, carol).isEmpty)
    #expect(try fixture.store.post(post.id, visibleTo: fixture.bob) != nil && mentions(fixture, fixture.bob).isEmpty)
    #expect(try fixture.store.integrity() == [])
  }

  @Test("reposts show the new text, and editing a repost edits its original") func reposts() throws {
    let fixture = try Fixture()
    let post = try fixture.write("one")
    let mark = Write.mark(Marking(account: fixture.ann, post: post.id, mark: .reposted, isOn: true, at: post.createdAt))
    guard case .marked(let marked) = try fixture.store.commit([mark]).outcomes[0], let repost = marked.repost?.post
    else { throw Missing() }
    let commit = try edit(fixture, repost.id, "two")
    #expect(commit.outcomes == [.edited(EditedPost(post: post.id, former: post.body))])
    #expect(
      commit.changes.changed.map(\.id) == [post.id, repost.id] && commit.changes.changed.allSatisfy { $0.text == "two" }
    )
  }

  @Test("edits of others' posts, hidden posts and imported posts are refused with the reason") func refused() throws {
    let fixture = try Fixture()
    try fixture.load([tweet("0", by: "1")])
    _ = try fixture.store.commit([.claimIdentity(fixture.ann, source: "twitter", authorNativeID: "1")])
    try fixture.load([tweet("1", "mine", at: 1, by: "1"), tweet("2", "another's", at: 2, by: "2")])
    let (own, another) = try (
      #require(try fixture.store.resolve(reference: "twitter:1", visibleTo: fixture.ann)),
      #require(try fixture.store.resolve(reference: "twitter:2", visibleTo: fixture.ann))
    )
    let post = try fixture.write("for me", at: 3)
    let hidden = try fixture.write("@ann psst", as: fixture.bob, at: 4, .direct)
    let carol = try fixture.store.account(uid: 1002, name: "carol").id
    for (id, account, refusal) in [
      (own, fixture.ann, Refusal.notWrittenHere(own)), (another, fixture.ann, .notOwnText(another)),
      (post.id, fixture.bob, .notOwnText(post.id)), (hidden.id, carol, .noSuchPost(hidden.id)),
      (PostID(99), carol, .noSuchPost(PostID(99))),
    ] {
      let commit = try edit(fixture, id, "something else", as: account, "r")
      #expect(commit.outcomes == [.refused(refusal)] && commit.changes == Changes())
    }
  }
}

/// Thrown when a test lacks a precondition.
private struct Missing: Error {}
