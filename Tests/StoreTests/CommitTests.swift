import Dates
import Posts
import Testing

@testable import Store

@Suite("A commit is one transaction with one revision; writes are refused individually")
struct CommitTests {
  @Test("a refused write does not affect the others and has a reason") func alone() throws {
    let fixture = try Fixture()
    let revision = fixture.store.revision
    let commit = try fixture.store.commit([
      .compose(fixture.composition("one")), .compose(fixture.composition("lost", to: PostID(99))),
      .deleteSession(fixture.ann, name: "none"), .compose(fixture.composition("nobody", as: AccountID(9))),
      .saveSession(fixture.ann, name: "", bytes: []),
      .saveSession(fixture.ann, name: "big", bytes: Array(repeating: 0, count: StoreLimits.sessionBytes + 1)),
      .claimIdentity(fixture.ann, source: "twitter", authorNativeID: "nobody"), .compose(fixture.composition("two")),
    ])
    #expect(commit.revision == revision + 1 && fixture.store.revision == revision + 1)
    let refusals = commit.outcomes.compactMap { if case .refused(let refusal) = $0 { refusal } else { nil } }
    #expect(
      refusals == [
        .noSuchPost(PostID(99)), .noSuchSession("none"), .noSuchAccount(AccountID(9)), .emptyName,
        .tooLong("the session's state", limit: StoreLimits.sessionBytes),
        .noSuchAuthor(source: "twitter", nativeID: "nobody"),
      ])
    #expect(refusals.allSatisfy { !$0.description.isEmpty && !$0.description.contains("\n") })
    #expect(try fixture.texts().sorted() == ["one", "two"])
  }

  @Test("a write that is refused after it has stored something is undone, and the others are not") func half() throws {
    let fixture = try Fixture()
    let hello = UpstreamHello()
    let greeting = Write.greetProgram(UpstreamGreeting(source: "elsewhere", hello: hello, account: AccountID(9)))
    let outcomes = try fixture.store.commit([
      .compose(fixture.composition("one")), greeting, .compose(fixture.composition("two")), greeting,
    ]).outcomes
    #expect(outcomes[1] == .refused(.noSuchAccount(AccountID(9))) && outcomes[3] == outcomes[1])
    #expect(try fixture.texts().sorted() == ["one", "two"])
    #expect(try fixture.store.database.number(SourceQuery.find, "elsewhere") == nil)
    #expect(try fixture.write("three").id == PostID(3))
  }

  @Test("a commit without changes keeps the revision") func nothing() throws {
    let fixture = try Fixture()
    let revision = fixture.store.revision
    #expect(try fixture.store.commit([]).revision == revision)
    #expect(try fixture.store.commit([.deleteSession(fixture.ann, name: "none")]).revision == revision)
  }

  @Test("a commit reports the final state of a post, whatever earlier writes reported") func last()
    throws
  {
    let fixture = try Fixture()
    let post = try fixture.write("once", request: "c")
    let again = Write.compose(fixture.composition("once", .public, "c"))
    let mark = Write.mark(
      Marking(account: fixture.bob, post: post.id, mark: .favourited, isOn: true, at: Instant(seconds: 2)))
    let answer = Write.compose(fixture.composition("an answer", as: fixture.bob, at: 3, to: post.id))
    for writes in [[again, mark], [answer, again]] {
      let reported = try fixture.store.commit(writes).changes.changed
      #expect(try reported.map(\.id) == [post.id] && reported.last == fixture.store.post(post.id), "\(writes)")
    }
    try fixture.load([tweet("1", "one", at: 4)])
    let id = try #require(try fixture.store.resolve(reference: "twitter:1", visibleTo: fixture.ann))
    let commit = try fixture.store.commit([
      .importBatch([tweet("1", "two", at: 4)], owner: fixture.ann),
      .mark(Marking(account: fixture.bob, post: id, mark: .favourited, isOn: true, at: Instant(seconds: 5))),
    ])
    #expect(try commit.changes.changed == [#require(try fixture.store.post(id))])
  }

  @Test("a command with the same request ID is done once", arguments: [true, false])
  func twice(inOneCommit: Bool) throws {
    let fixture = try Fixture()
    let write = Write.compose(fixture.composition("once", at: 3, .public, "r1"))
    let commits =
      inOneCommit
      ? [try fixture.store.commit([write, write])]
      : [try fixture.store.commit([write]), try fixture.store.commit([write])]
    let composed = commits.flatMap(\.outcomes).compactMap { if case .composed(let post) = $0 { post } else { nil } }
    #expect(composed.map(\.isRepeated) == [false, true])
    #expect(composed[0].post == composed[1].post && composed[0].author == composed[1].author)
    #expect(try fixture.texts() == ["once"])
    let other = try fixture.store.commit([.compose(fixture.composition("bob's", as: fixture.bob, .public, "r1"))])
    guard case .composed(let post) = other.outcomes[0] else { throw Unexpected(other.outcomes[0]) }
    #expect(!post.isRepeated, "request IDs are per account")
  }

  @Test("the last ten thousand request IDs are remembered") func bounded() throws {
    let fixture = try Fixture()
    let writes = (0...StoreLimits.requestsKept).map { Write.compose(fixture.composition("x", .public, "r\($0)")) }
    _ = try fixture.store.commit(writes)
    #expect(try fixture.store.database.integer("SELECT count(*) FROM requests") == Int64(StoreLimits.requestsKept))
    #expect(try fixture.write("x", request: "r1").id == PostID(2), "still known")
    #expect(try fixture.write("x", request: "r0").id == PostID(Int64(StoreLimits.requestsKept) + 2), "forgotten")
  }

  @Test("post IDs are never reused, not even after rows are lost") func numbers() throws {
    let fixture = try Fixture()
    let first = try fixture.write("one")
    try fixture.store.database.execute("DELETE FROM posts")
    #expect(try fixture.write("two").id > first.id)
  }
}
