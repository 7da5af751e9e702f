import Dates
import Posts
import Search
import Testing

@testable import Store

@Suite("The audience of local posts")
struct ComposeTests {
  private let fixture: Fixture
  private let carol: AccountID

  init() throws {
    fixture = try Fixture()
    carol = try fixture.store.account(uid: 1002, name: "carol").id
  }

  /// Returns the accounts that may see a post.
  private func readers(of post: StoredPost) throws -> Set<AccountID> {
    Set(try [fixture.ann, fixture.bob, carol].filter { try fixture.store.post(post.id, visibleTo: $0) != nil })
  }

  @Test(
    "public and unlisted posts are for everyone, others for current followers or for the recipients"
  ) func visible()
    throws
  {
    #expect(try readers(of: fixture.write("hi")) == [fixture.ann, fixture.bob, carol])
    #expect(try readers(of: fixture.write("hi", .unlisted)) == [fixture.ann, fixture.bob, carol])
    let followersOnly = try fixture.write("hi", .followers)
    #expect(try readers(of: followersOnly) == [fixture.ann, fixture.bob, carol])
    _ = try fixture.store.commit([.unfollow(carol, followersOnly.author)])
    #expect(try readers(of: followersOnly) == [fixture.ann, fixture.bob])
    _ = try fixture.store.commit([.follow(carol, followersOnly.author)])
    #expect(try readers(of: followersOnly) == [fixture.ann, fixture.bob, carol])
    #expect(try readers(of: fixture.write("@bob hi", .direct)) == [fixture.ann, fixture.bob])
    #expect(try readers(of: fixture.write("@ann a note", .direct)) == [fixture.ann])
  }

  static let refusals: [(String, Refusal)] = [
    ("to nobody", .namesNobody), ("@dave hi", .noSuchRecipient("dave")), ("@bob @dave hi", .noSuchRecipient("dave")),
    ("@bob@example.org hi", .noSuchRecipient("bob@example.org")),
    ("@bob-marie hi", .noSuchRecipient("bob-marie")), ("@bob.b hi", .noSuchRecipient("bob.b")),
    ("@bob--.1-é! hi", .noSuchRecipient("bob--.1-é")),
  ]

  @Test("a direct post without a recipient, or with an unknown one, is refused with the reason", arguments: refusals)
  func refused(text: String, refusal: Refusal) throws {
    let revision = fixture.store.revision
    let commit = try fixture.store.commit([.compose(fixture.composition(text, .direct))])
    #expect(commit.outcomes == [.refused(refusal)] && commit.revision == revision)
    #expect(refusal.description.contains(refusal == .namesNobody ? "recipient" : "account"))
  }

  @Test(
    "punctuation after a mention is not part of the name",
    arguments: ["@bob.", "@bob - hi", "@bob... hi", "@bob, hi", "(@bob)", "@bob-"])
  func ended(text: String) throws {
    #expect(try readers(of: fixture.write(text, .direct)) == [fixture.ann, fixture.bob])
  }

  @Test("a mention with a suffix still counts in a public post") func tail() throws {
    #expect(try fixture.write("@bob-marie hi").body.unpacked()?.mentions == ["bob"])
  }

  @Test("a recipient's name matches in any case unless it is ambiguous") func cases() throws {
    #expect(try readers(of: fixture.write("@BOB hi", .direct)) == [fixture.ann, fixture.bob])
    let upper = try fixture.store.account(uid: 1003, name: "Bob").id
    let exact = try fixture.write("@Bob hi", .direct)
    #expect(try fixture.store.post(exact.id, visibleTo: upper) != nil && !readers(of: exact).contains(fixture.bob))
    #expect(
      try fixture.store.commit([.compose(fixture.composition("@BOB", .direct))]).outcomes == [
        .refused(.noSuchRecipient("BOB"))
      ])
  }

  @Test("a reply to a direct post goes to its conversation, regardless of mentions") func answers() throws {
    let first = try fixture.write("@bob hi", at: 1, .direct)
    let answer = try fixture.write("hello", as: fixture.bob, at: 2, to: first.id, .direct)
    #expect(answer.audience == first.audience, "one conversation")
    #expect(
      try readers(of: fixture.write("in public", as: fixture.bob, at: 3, to: first.id)) == [fixture.ann, fixture.bob])
    let naming = try fixture.write("@carol would laugh", as: fixture.bob, at: 4, to: first.id)
    #expect(naming.audience == first.audience && naming.body.visibility == .direct)
    #expect(
      try fixture.write("@ANN only you", as: fixture.bob, at: 5, to: first.id, .direct).audience == first.audience)
    #expect(try refusal("@carol see", as: fixture.bob, to: first.id) == .answersFewer("carol"))
    #expect(try refusal("@dave see", as: fixture.bob, to: first.id) == .noSuchRecipient("dave"))
    #expect(Refusal.answersFewer("carol").description.contains("new direct post"))
    #expect(try fixture.store.page(of: .mentions(carol), for: carol, limit: 9)?.posts.isEmpty == true)
  }

  private func refusal(_ text: String, as account: AccountID, to parent: PostID) throws -> Refusal? {
    let outcome = try fixture.store.commit([.compose(fixture.composition(text, as: account, to: parent, .direct))])
      .outcomes[0]
    guard case .refused(let refusal) = outcome else { return nil }
    return refusal
  }

  @Test("a reply to a followers-only post goes to the same followers, not to the replier's") func answersFollowers()
    throws
  {
    let dave = try fixture.store.account(uid: 1003, name: "dave").id
    let followersOnly = try fixture.write("hi", at: 1, .followers)
    _ = try fixture.store.commit([.unfollow(carol, followersOnly.author), .unfollow(dave, followersOnly.author)])
    for visibility in [Visibility.public, .unlisted, .followers] {
      let answer = try fixture.write("@carol hello", as: fixture.bob, at: 2, to: followersOnly.id, visibility)
      #expect(answer.audience == followersOnly.audience && answer.body.visibility == .followers)
      let second = try fixture.write("and I", at: 3, to: answer.id, visibility)
      #expect(second.audience == followersOnly.audience)
    }
    let bobs = try fixture.write("for mine", as: fixture.bob, at: 4, .followers)
    #expect(try readers(of: bobs) == [fixture.ann, fixture.bob, carol])
    #expect(try refusal("@carol psst", as: fixture.bob, to: followersOnly.id) == .answersFewer("carol"))
    _ = try fixture.store.commit([.follow(dave, followersOnly.author)])
    let few = try fixture.write("@dave psst", as: fixture.bob, at: 5, to: followersOnly.id, .direct)
    #expect(try readers(of: few) == [fixture.ann, fixture.bob] && fixture.store.post(few.id, visibleTo: dave) != nil)
    let one = try fixture.write("psst", as: fixture.bob, at: 6, to: followersOnly.id, .direct)
    #expect(try readers(of: one) == [fixture.ann, fixture.bob] && fixture.store.post(one.id, visibleTo: dave) == nil)
    #expect(try refusal("nobody", as: fixture.ann, to: followersOnly.id) == .namesNobody)
    #expect(try fixture.store.integrity() == [])
  }

  @Test("after unfollowing, an account still sees its replies to followers-only posts, and so do the followers")
  func kept()
    throws
  {
    let followersOnly = try fixture.write("hi", at: 1, .followers)
    let answer = try fixture.write("hello otter", as: fixture.bob, at: 2, to: followersOnly.id)
    let query = try SearchQuery(parsing: "otter")
    _ = try fixture.store.commit([.unfollow(fixture.bob, followersOnly.author)])
    #expect(
      try readers(of: answer) == [fixture.ann, fixture.bob, carol]
        && readers(of: followersOnly) == [fixture.ann, carol])
    #expect(try fixture.store.home(fixture.bob).map(\.id) == [answer.id])
    #expect(try fixture.store.page(by: answer.author, for: fixture.bob, limit: 9)?.posts.map(\.id) == [answer.id])
    _ = try fixture.store.commit([.unfollow(carol, followersOnly.author)])
    #expect(try readers(of: answer) == [fixture.ann, fixture.bob])
    let more = try fixture.write("by the way", as: fixture.bob, at: 3, to: answer.id)
    #expect(try readers(of: more) == [fixture.ann, fixture.bob])
    for account in [fixture.ann, fixture.bob, carol] {
      let hits = try fixture.store.search(query, for: account, limit: 9).posts
      #expect(hits.map(\.id) == (account == carol ? [] : [answer.id]))
    }
    _ = try fixture.store.commit([.follow(carol, followersOnly.author)])
    #expect(try readers(of: answer) == [fixture.ann, fixture.bob, carol])
    #expect(try fixture.store.home(carol).map(\.id) == [more.id, answer.id, followersOnly.id])
    _ = try fixture.store.commit([.follow(fixture.bob, followersOnly.author)])
    let again = try fixture.write("back", as: fixture.bob, at: 4, to: followersOnly.id)
    #expect(again.audience == followersOnly.audience)
    _ = try fixture.store.commit([.unfollow(fixture.bob, followersOnly.author)])
    #expect(try fixture.store.home(fixture.bob).map(\.text) == ["back", "by the way", "hello otter"])
    #expect(try fixture.store.integrity() == [])
  }

  @Test("a reply to a post for its author alone stays with the author and cannot have recipients") func alone() throws {
    let secret = try #require(try fixture.load([tweet("1", "secret", .direct)]).entries.first)
    let answer = try fixture.write("to myself", to: secret.id)
    #expect(answer.audience == .only(fixture.ann) && answer.body.visibility == .direct)
    let commit = try fixture.store.commit([.compose(fixture.composition("@bob look", to: secret.id, .direct))])
    #expect(commit.outcomes == [.refused(.answersPrivate("bob"))])
    #expect(try fixture.write("@somebody_there", to: secret.id, .direct).audience == .only(fixture.ann))
  }

  @Test("an export is the same to all who see its posts; private posts of others are refused to everyone else")
  func exported() throws {
    _ = try fixture.write("for followers", at: 1, .followers)
    _ = try fixture.write("@bob hi", at: 2, .direct)
    let posts = try fixture.store.exportPage(limit: 9, visibleTo: fixture.ann).posts
    #expect(posts.map(\.body.visibility) == [.followers, .direct])
    let revision = fixture.store.revision
    #expect(try fixture.load(posts).same == 2 && fixture.store.revision == revision)
    #expect(try fixture.texts(fixture.bob) == ["@bob hi", "for followers"])
    #expect(try fixture.load(posts, as: fixture.bob).same == 2)
    let carol = try fixture.store.account(uid: 1002, name: "carol").id
    let report = try fixture.load(posts, as: carol)
    #expect(report.same == 1 && report.refused == [RefusedPost(index: 1, reason: .anotherAccount)])
    let other = try Fixture(epoch: 8)
    try other.load(posts)
    #expect(try other.texts().count == 2 && other.texts(other.bob).isEmpty)
  }

  @Test("the number of people in a conversation is limited") func crowd() throws {
    for index in 0..<StoreLimits.people { _ = try fixture.store.account(uid: UInt32(2000 + index), name: "u\(index)") }
    _ = try fixture.store.commit([.setPostLimit(fixture.ann, StoreLimits.postLimit)])
    let names = (0..<StoreLimits.people).map { "@u\($0)" }
    let refusal = Outcome.refused(.tooMany("people in a conversation", limit: StoreLimits.people))
    #expect(
      try fixture.store.commit([.compose(fixture.composition(names.joined(separator: " "), .direct))]).outcomes == [
        refusal
      ])
    _ = try fixture.write(names.dropLast().joined(separator: " "), .direct)
  }
}
