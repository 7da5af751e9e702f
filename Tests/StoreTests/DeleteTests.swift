import Dates
import Posts
import Testing

@testable import Store

@Suite("Deleting a post deletes its reposts and disconnects its replies")
struct DeleteTests {
  private func delete(_ fixture: Fixture, _ id: PostID, as account: AccountID? = nil, _ request: String = "") throws
    -> Commit
  {
    try fixture.store.commit([.deletePost(account ?? fixture.ann, id, requestID: request)])
  }

  @Test("post, reposts, entries, counts and native JSON are deleted; replies stay") func gone() throws {
    let fixture = try Fixture()
    try fixture.load([tweet("0", by: "1")])
    _ = try fixture.store.commit([.claimIdentity(fixture.ann, source: "twitter", authorNativeID: "1")])
    try fixture.load([
      tweet("1", "mine", at: 1, by: "1", aliases: ["a"], native: "{}"),
      tweet("r", "reply", at: 2, by: "2", answers: "1"),
    ])
    try fixture.load([tweet("x", at: 3, by: "3", of: tweet("1", "mine", at: 1, by: "1"))], as: fixture.bob)
    let id = try #require(try fixture.store.resolve(reference: "twitter:1", visibleTo: fixture.ann))
    let repost = try #require(try fixture.store.resolve(reference: "twitter:x", visibleTo: fixture.ann))
    let commit = try delete(fixture, id)
    #expect(commit.outcomes == [.postDeleted(id)])
    #expect(Set(commit.changes.removed.map(\.id)) == [id, repost])
    #expect(commit.changes.changed.map(\.text) == ["reply"] && commit.changes.changed[0].inReplyTo == nil)
    #expect(commit.changes.left[.home(fixture.bob)]?.map(\.id) == [repost])
    #expect(commit.changes.left[.mentions(fixture.ann)]?.count == 1, "the reply is not a mention any more")
    #expect(try fixture.store.home(fixture.bob) == [])
    #expect(try fixture.store.resolve(reference: "twitter:a", visibleTo: fixture.ann) == nil)
    #expect(try fixture.store.integrity() == [])
    try fixture.load([tweet("1", "mine", at: 1, by: "1")])
    let again = try #require(try fixture.store.resolve(reference: "twitter:1", visibleTo: fixture.ann))
    #expect(again > repost, "a new ID")
    #expect(try fixture.visible().first { $0.text == "reply" }?.inReplyTo == again, "the parent is found again")
  }

  @Test("a reply that is only the original of a repost is not reported as an entry") func answeringOriginal() throws {
    let fixture = try Fixture()
    try fixture.load([tweet("0", by: "1")])
    _ = try fixture.store.commit([.claimIdentity(fixture.ann, source: "twitter", authorNativeID: "1")])
    try fixture.load([tweet("1", "mine", at: 1, by: "1")])
    try fixture.load(
      [tweet("x", at: 3, by: "3", of: tweet("o", "reply", at: 2, by: "2", answers: "1"))], as: fixture.bob)
    let post = try #require(try fixture.store.resolve(reference: "twitter:1", visibleTo: fixture.ann))
    let original = try #require(try fixture.store.resolve(reference: "twitter:o", visibleTo: fixture.ann))
    let changes = try delete(fixture, post).changes
    #expect(changes.originals.map(\.id) == [original] && !changes.changed.contains { $0.id == original })
  }

  @Test(
    "a deleted post leaves all lists: of followers, other importers, mentioned accounts, and lists with its author",
    arguments: [false, true])
  func everybody(withRepost: Bool) throws {
    let fixture = try Fixture()
    let carol = try fixture.store.account(uid: 1002, name: "carol").id
    let dan = try fixture.store.account(uid: 1003, name: "dan").id
    try fixture.load([tweet("0", by: "1"), tweet("00", by: "2"), tweet("000", by: "3")])
    let authors = try ["@h1", "@h2", "@h3"].map { try #require(try fixture.store.resolve(author: $0, for: dan)) }
    _ = try fixture.store.commit([
      .claimIdentity(fixture.ann, source: "twitter", authorNativeID: "1"), .follow(fixture.bob, authors[0]),
      .claimIdentity(carol, source: "twitter", authorNativeID: "2"), .makeList(dan, name: "list"),
    ])
    let list = try #require(try fixture.store.madeLists(of: dan).first?.id)
    _ = try fixture.store.commit(authors.map { .addToList(dan, list, $0) })
    let text = SafeText("hello @h2")
    var post = tweet("1", at: 5, by: "1")
    post.body = PostBody(text: text, spans: TextSpans.find(in: text))
    for account in [fixture.ann, dan] {
      try fixture.load([post] + (withRepost ? [tweet("x", at: 6, by: "3", of: post)] : []), as: account)
    }
    let lists: [(reader: AccountID, name: ListName)] = [
      (fixture.ann, .home(fixture.ann)), (fixture.bob, .home(fixture.bob)), (dan, .home(dan)), (dan, .made(dan, list)),
      (carol, .mentions(carol)),
    ]
    func counts() throws -> [Int] { try lists.map { try fixture.store.count(of: $0.name, for: $0.reader) } }
    let before = try counts()
    _ = try delete(fixture, try #require(try fixture.store.resolve(reference: "twitter:1", visibleTo: fixture.ann)))
    let entries = withRepost ? [2, 1, 2, 2, 1] : [1, 1, 1, 1, 1]
    #expect(try counts() == zip(before, entries).map { $0 - $1 })
    #expect(try fixture.store.integrity() == [])
  }

  @Test("accounts can delete only their own posts, and learn nothing about hidden ones") func own() throws {
    let fixture = try Fixture()
    let bobs = try fixture.write("bob's", as: fixture.bob)
    let secret = try fixture.write("@bob secret", as: fixture.bob, .direct)
    try fixture.load([tweet("1", "imported", by: "9")])
    let imported = try #require(try fixture.store.resolve(reference: "twitter:1", visibleTo: fixture.ann))
    #expect(try delete(fixture, bobs.id).outcomes == [.refused(.notOwn(bobs.id))])
    #expect(try delete(fixture, imported).outcomes == [.refused(.notOwn(imported))], "another author")
    #expect(try delete(fixture, secret.id).outcomes == [.refused(.noSuchPost(secret.id))])
    #expect(try delete(fixture, PostID(99)).outcomes == [.refused(.noSuchPost(PostID(99)))])
    #expect(try fixture.texts(fixture.bob).count == 3)
  }

  @Test("deleting with the same request ID is done once, and retrying the compose does not restore the post")
  func twice()
    throws
  {
    let fixture = try Fixture()
    let post = try fixture.write("once", request: "make")
    #expect(try delete(fixture, post.id, "delete").outcomes == [.postDeleted(post.id)])
    let revision = fixture.store.revision
    #expect(try delete(fixture, post.id, "delete").outcomes == [.postDeleted(post.id)])
    #expect(try delete(fixture, post.id).outcomes == [.refused(.noSuchPost(post.id))])
    let made = try fixture.store.commit([.compose(fixture.composition("once", .public, "make"))])
    #expect(made.outcomes == [.refused(.noSuchPost(post.id))])
    #expect(fixture.store.revision == revision)
    let other = try fixture.write("twice", request: "make 2")
    #expect(
      try delete(fixture, other.id, "make 2").outcomes == [.postDeleted(other.id)],
      "another command's request ID does not matter")
  }

  @Test("retrying a deletion that was undone does not delete again") func twiceAndBack() throws {
    let fixture = try Fixture()
    let post = try fixture.write("once")
    _ = try delete(fixture, post.id, "delete")
    _ = try fixture.store.commit([.undo(Undo(account: fixture.ann, at: Instant(seconds: 9)))])
    #expect(try delete(fixture, post.id, "delete").outcomes == [.postDeleted(post.id)])
    #expect(try fixture.texts() == ["once"])
    _ = try delete(fixture, post.id, "delete 2")
    #expect(try fixture.texts() == [])
  }

  @Test("a post written and deleted in one transaction appears in no change") func atOnce() throws {
    let fixture = try Fixture()
    let next = try fixture.write("before").id.rawValue + 1
    let commit = try fixture.store.commit([
      .compose(fixture.composition("@bob hi", at: 9)), .deletePost(fixture.ann, PostID(next), requestID: ""),
    ])
    #expect(
      commit.changes.entered.isEmpty && commit.changes.left.isEmpty
        && commit.changes.removed.map(\.id.rawValue) == [next])
    #expect(try fixture.texts() == ["before"])
  }
}
