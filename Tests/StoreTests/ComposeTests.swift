import Dates
import Posts
import Testing

@testable import Store

@Suite("Who may see what is written here")
struct ComposeTests {
  private let fixture: Fixture
  private let carol: AccountID

  init() throws {
    fixture = try Fixture()
    carol = try fixture.store.account(uid: 1002, name: "carol").id
  }

  /// What an account sees of a post, by its text.
  private func readers(of post: StoredPost) throws -> Set<AccountID> {
    Set(try [fixture.ann, fixture.bob, carol].filter { try fixture.store.post(post.id, visibleTo: $0) != nil })
  }

  @Test("public and unlisted: everybody; for followers: them, as they come and go; direct: who is named") func visible() throws {
    #expect(try readers(of: fixture.write("hi")) == [fixture.ann, fixture.bob, carol])
    #expect(try readers(of: fixture.write("hi", .unlisted)) == [fixture.ann, fixture.bob, carol])
    let quiet = try fixture.write("hi", .followers)
    #expect(try readers(of: quiet) == [fixture.ann, fixture.bob, carol])
    _ = try fixture.store.commit([.unfollow(carol, quiet.author)])
    #expect(try readers(of: quiet) == [fixture.ann, fixture.bob])
    _ = try fixture.store.commit([.follow(carol, quiet.author)])
    #expect(try readers(of: quiet) == [fixture.ann, fixture.bob, carol])
    #expect(try readers(of: fixture.write("@bob hi", .direct)) == [fixture.ann, fixture.bob])
    #expect(try readers(of: fixture.write("@ann a note", .direct)) == [fixture.ann])
  }

  static let refusals: [(String, Refusal)] = [
    ("to nobody", .namesNobody), ("@dave hi", .noSuchRecipient("dave")), ("@bob @dave hi", .noSuchRecipient("dave")),
    ("@bob@example.org hi", .noSuchRecipient("bob@example.org")),
    ("@bob-marie hi", .noSuchRecipient("bob-marie")), ("@bob.b hi", .noSuchRecipient("bob.b")),
    ("@bob--.1-é! hi", .noSuchRecipient("bob--.1-é")),
  ]

  @Test("a direct post that names nobody, or somebody who is not here, is refused and says so", arguments: refusals)
  func refused(text: String, refusal: Refusal) throws {
    let revision = fixture.store.revision
    let commit = try fixture.store.commit([.compose(fixture.composition(text, .direct))])
    #expect(commit.outcomes == [.refused(refusal)] && commit.revision == revision)
    #expect(refusal.description.contains("account"))
  }

  @Test("what only ends a sentence is no part of a name", arguments: ["@bob.", "@bob - hi", "@bob... hi", "@bob, hi", "(@bob)", "@bob-"])
  func ended(text: String) throws {
    #expect(try readers(of: fixture.write(text, .direct)) == [fixture.ann, fixture.bob])
  }

  @Test("a mention with a tail still names who is meant, where the post is for everybody") func tail() throws {
    #expect(try fixture.write("@bob-marie hi").body.unpacked()?.mentions == ["bob"])
  }

  @Test("a name is found in whatever case, unless two would do") func cases() throws {
    #expect(try readers(of: fixture.write("@BOB hi", .direct)) == [fixture.ann, fixture.bob])
    let upper = try fixture.store.account(uid: 1003, name: "Bob").id
    let exact = try fixture.write("@Bob hi", .direct)
    #expect(try fixture.store.post(exact.id, visibleTo: upper) != nil && !readers(of: exact).contains(fixture.bob))
    #expect(try fixture.store.commit([.compose(fixture.composition("@BOB", .direct))]).outcomes == [.refused(.noSuchRecipient("BOB"))])
  }

  @Test("an answer to a direct post is for its people and whom it names") func answers() throws {
    let first = try fixture.write("@bob hi", at: 1, .direct)
    let answer = try fixture.write("hello", as: fixture.bob, at: 2, to: first.id, .direct)
    #expect(answer.audience == first.audience, "one conversation")
    #expect(try readers(of: fixture.write("in public", as: fixture.bob, at: 3, to: first.id)) == [fixture.ann, fixture.bob])
    let wider = try fixture.write("@carol see", as: fixture.bob, at: 4, to: first.id, .direct)
    #expect(try readers(of: wider) == [fixture.ann, fixture.bob, carol])
    #expect(wider.body.visibility == .direct)
    #expect(try fixture.store.conversation(of: wider.id, visibleTo: carol).map(\.id) == [wider.id])
  }

  @Test("an answer to what one alone may see stays with one, and names nobody") func alone() throws {
    let secret = try #require(try fixture.load([tweet("1", "secret", .direct)]).entries.first)
    let answer = try fixture.write("to myself", to: secret.id)
    #expect(answer.audience == .only(fixture.ann) && answer.body.visibility == .direct)
    let commit = try fixture.store.commit([.compose(fixture.composition("@bob look", to: secret.id, .direct))])
    #expect(commit.outcomes == [.refused(.answersPrivate("bob"))])
    #expect(try fixture.write("@somebody_there", to: secret.id, .direct).audience == .only(fixture.ann))
  }

  @Test("importing one's own export changes nothing, and of another's what is private stays private") func exported() throws {
    _ = try fixture.write("for followers", at: 1, .followers)
    _ = try fixture.write("@bob hi", at: 2, .direct)
    let posts = try fixture.store.exportPage(limit: 9, visibleTo: fixture.ann).posts
    #expect(posts.map(\.body.visibility) == [.followers, .direct])
    let revision = fixture.store.revision
    #expect(try fixture.load(posts).same == 2 && fixture.store.revision == revision)
    #expect(try fixture.texts(fixture.bob) == ["@bob hi", "for followers"])
    #expect(try fixture.load(posts, as: fixture.bob).refused.count == 2)
    let other = try Fixture()
    try other.load(posts)
    #expect(try other.texts().count == 2 && other.texts(other.bob).isEmpty)
  }

  @Test("a conversation has at most so many people") func crowd() throws {
    for index in 0..<StoreLimits.people { _ = try fixture.store.account(uid: UInt32(2000 + index), name: "u\(index)") }
    let names = (0..<StoreLimits.people).map { "@u\($0)" }
    let refusal = Outcome.refused(.tooMany("people", limit: StoreLimits.people))
    #expect(try fixture.store.commit([.compose(fixture.composition(names.joined(separator: " "), .direct))]).outcomes == [refusal])
    _ = try fixture.write(names.dropLast().joined(separator: " "), .direct)
  }
}
