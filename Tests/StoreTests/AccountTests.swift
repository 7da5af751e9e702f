import Posts
import Testing

@testable import Store

@Suite("Accounts, identities and sessions")
struct AccountTests {
  @Test("an account is created on first use, with its author") func made() throws {
    let fixture = try Fixture()
    #expect(try fixture.store.account(uid: 1000, name: "renamed").id == fixture.ann)
    #expect(try fixture.store.account(uid: nil, name: "ann").id == fixture.ann, "a token for a name is that account")
    #expect(try fixture.store.account(uid: 2000, name: "ann").name == "ann_2000", "names are unique")
    #expect(try fixture.store.account(uid: nil, name: "robot").uid == nil)
    #expect(throws: Refusal.emptyName) { try fixture.store.account(uid: nil, name: "") }
    let author = try #require(try fixture.store.localAuthor(of: fixture.ann))
    #expect(author.handle == "ann" && author.displayName == "ann")
    #expect(try fixture.store.identities(of: fixture.ann) == [author.id])
  }

  @Test("an account can be created by name if the name is free and can be written after an @") func byName() throws {
    let fixture = try Fixture()
    let names = [
      "robot_1", "ann", "", "two words", "a@b", "ä", "a\nb", "jean-luc", "j.l", String(repeating: "x", count: 65),
    ]
    let outcomes = try fixture.store.commit(names.map { .makeAccount(name: $0) }).outcomes
    let robot = Account(id: AccountID(3), uid: nil, name: "robot_1")
    #expect(
      outcomes == [
        .accountOpened(robot), .refused(.nameTaken("ann")), .refused(.emptyName), .refused(.unusableName("two words")),
        .refused(.unusableName("a@b")), .refused(.unusableName("ä")), .refused(.unusableName("a\nb")),
        .refused(.unusableName("jean-luc")), .refused(.unusableName("j.l")),
        .refused(.tooLong("the account's name", limit: AccountName.limit)),
      ])
    #expect(try fixture.store.accounts().map(\.name) == ["ann", "bob", "robot_1"])
    #expect(try fixture.store.account(uid: nil, name: "robot_1") == robot, "a token for it")
    #expect(Refusal.unusableName("jean-luc").description.hasSuffix(", as in jean_luc"))
    #expect(Refusal.unusableName("a\u{1b}[31m").description.utf8.allSatisfy { $0 != 0x1B })
  }

  static let users: [(String, String)] = [
    ("jean-luc", "jean_luc"), ("a.b", "a_b"), ("Ä", "user3"), ("", "user3"), ("-.-", "user3"), ("x é", "x___"),
    ("ann", "ann_3"),
    (String(repeating: "x", count: 99), String(repeating: "x", count: 64)),
  ]

  @Test("a Unix user's account gets a name that can be mentioned with @", arguments: users) func user(
    name: String, expected: String
  ) throws {
    #expect(try Fixture().store.account(uid: 3, name: name).name == expected)
  }

  @Test("a Unix user gets a free name even if others are taken, and the rest of the commit succeeds") func free() throws
  {
    let fixture = try Fixture()
    var writes = ["a_b", "a_b_3", "a_b_3_2"].map { Write.makeAccount(name: $0) }
    writes += [.compose(fixture.composition("@a_b_3 hi", as: fixture.bob, .direct)), .openAccount(uid: 3, name: "a-b")]
    let outcomes = try fixture.store.commit(writes).outcomes
    guard case .composed(let composed) = outcomes[3], case .accountOpened(let account) = outcomes[4] else {
      throw Unexpected(outcomes[4])
    }
    #expect(account.name == "a_b_3_3" && composed.post.body.visibility == .direct)
    #expect(try fixture.store.post(composed.post.id, visibleTo: account.id) == nil)
    #expect(try fixture.store.localAuthor(of: account.id)?.handle == "a_b_3_3")
    let long = try [4, 5].map { try fixture.store.account(uid: $0, name: String(repeating: "x", count: 70)).name }
    #expect(long == [String(repeating: "x", count: 64), String(repeating: "x", count: 62) + "_5"])
  }

  @Test("accounts follow each other until they unfollow") func team() throws {
    let fixture = try Fixture()
    let carol = try fixture.store.account(uid: 1002, name: "carol").id
    let authors = try [fixture.ann, fixture.bob, carol].map { try #require(try fixture.store.localAuthor(of: $0)?.id) }
    #expect(try fixture.store.followed(by: carol).map(\.id) == Array(authors.prefix(2)))
    #expect(try fixture.store.followers(of: authors[0]).map(\.id) == [fixture.bob, carol])
    _ = try fixture.store.commit([.unfollow(carol, authors[0])])
    let profile = try #require(try fixture.store.profile(of: authors[0], for: carol))
    #expect(
      !profile.isFollowed && profile.followsMe && profile.followers == 1 && profile.following == 2 && !profile.isMe)
    #expect(profile.account?.name == "ann" && profile.identities == [authors[0]])
    #expect(try fixture.store.profile(of: authors[0], for: fixture.ann)?.isMe == true)
  }

  static let references: [(String, Int64?)] = [
    ("1", 1), ("stack:ann", 1), ("ann", 1), ("@ann", 1), ("@ANN", 1), ("bob", 2), ("twitter:33", 3), ("h33", 3),
    ("@H33", 3),
    ("twitter:ann", nil), ("carol", nil), ("", nil), ("@", nil), ("0", nil), ("99", nil), ("twitter:", nil),
    (":33", nil), ("ann ", nil),
    ("7", 4),
  ]

  @Test(
    "an author is found by ID, by source and native ID, or by handle; local authors come first", arguments: references)
  func named(reference: String, number: Int64?) throws {
    let fixture = try Fixture()
    var namesake = tweet("2", by: "44")
    namesake.author.handle = "ann"
    var numeric = tweet("3", by: "55")
    numeric.author.handle = "7"
    try fixture.load([tweet("1", by: "33"), numeric, namesake])
    #expect(try fixture.store.resolve(author: reference, for: fixture.bob) == number.map { AuthorID($0) })
  }

  @Test("an account's own profile shows the posts of all its identities; to others it does not") func ownProfile()
    throws
  {
    let fixture = try Fixture()
    try fixture.load([tweet("1", "tweet", at: 1, by: "33"), tweet("2", "other", at: 2, by: "44")])
    _ = try fixture.write("here", at: 3)
    _ = try fixture.store.commit([.claimIdentity(fixture.ann, source: "twitter", authorNativeID: "33")])
    let own = try #require(try fixture.store.localAuthor(of: fixture.ann)?.id)
    #expect(try fixture.store.page(by: own, for: fixture.ann, limit: 9)?.posts.map(\.text) == ["here", "tweet"])
    #expect(try fixture.store.profile(of: own, for: fixture.ann)?.posts == 2)
    #expect(try fixture.store.page(by: own, for: fixture.bob, limit: 9)?.posts.map(\.text) == ["here"])
    let claimed = try #require(try fixture.store.resolve(author: "twitter:33", for: fixture.ann))
    #expect(try fixture.store.profile(of: claimed, for: fixture.ann)?.isMe == true)
    #expect(try fixture.store.page(by: claimed, for: fixture.ann, limit: 9)?.posts.map(\.text) == ["tweet"])
    #expect(
      try fixture.store.profile(of: claimed, for: fixture.bob)?.account == nil, "a claim proves nothing to others")
  }

  @Test("renaming the own author changes everything it wrote") func named() throws {
    let fixture = try Fixture()
    let post = try fixture.write("hello")
    _ = try fixture.store.commit([.nameAuthor(fixture.ann, handle: "annie", displayName: "Ann of Arden")])
    #expect(try fixture.store.authors([post.author]).map(\.displayName) == ["Ann of Arden"])
  }

  @Test("a chosen name and a line about oneself stay, also when the system knows another name") func profile() throws {
    let fixture = try Fixture()
    let post = try fixture.write("hello")
    _ = try fixture.store.commit([
      .setProfile(fixture.ann, displayName: "Ann of Arden", about: nil),
      .setProfile(fixture.ann, displayName: nil, about: "I count gulls."),
      .nameAuthor(fixture.ann, handle: "ann", displayName: "Ann Example"),
    ])
    #expect(try fixture.store.authors([post.author]).map(\.displayName) == ["Ann of Arden"])
    #expect(try fixture.store.profile(of: post.author, for: fixture.bob)?.about == "I count gulls.")
    #expect(try fixture.store.accounts().first?.displayName == "Ann of Arden")
    let long = SafeText(String(repeating: "a", count: StoreLimits.displayNameBytes + 1))
    let refused = try fixture.store.commit([.setProfile(fixture.ann, displayName: long, about: nil)]).outcomes
    #expect(refused == [.refused(.tooLong("the name", limit: StoreLimits.displayNameBytes))])
    _ = try fixture.store.commit([.setProfile(fixture.ann, displayName: "", about: "")])
    #expect(try fixture.store.authors([post.author]).map(\.displayName) == ["ann"])
    #expect(try fixture.store.profile(of: post.author, for: fixture.bob)?.about.isEmpty == true)
  }

  @Test("an identity can be claimed after an import, once, but never another account's own") func claims() throws {
    let fixture = try Fixture()
    let author = try #require(try fixture.load([tweet("1", by: "33")]).authors.first)
    let claim = Write.claimIdentity(fixture.ann, source: "twitter", authorNativeID: "33")
    #expect(try fixture.store.commit([claim]).outcomes == [.identityClaimed(author)])
    #expect(try fixture.store.identities(of: fixture.ann).contains(author.id))
    let revision = fixture.store.revision
    #expect(try fixture.store.commit([claim]).revision == revision)
    let theft = try fixture.store.commit([.claimIdentity(fixture.bob, source: "stack", authorNativeID: "ann")])
    #expect(theft.outcomes == [.refused(.noSuchAuthor(source: "stack", nativeID: "ann"))])
  }

  @Test("sessions are restored byte for byte, by account and name") func sessions() throws {
    let fixture = try Fixture()
    let bytes = (0..<1_000).map { UInt8(truncatingIfNeeded: $0) }
    let commit = try fixture.store.commit([
      .saveSession(fixture.ann, name: "main", bytes: bytes), .saveSession(fixture.ann, name: "empty", bytes: []),
      .saveSession(fixture.bob, name: "main", bytes: [9]),
    ])
    #expect(commit.outcomes == [.sessionSaved, .sessionSaved, .sessionSaved])
    let main = SavedSession(name: "main", bytes: bytes, revision: commit.revision)
    #expect(try fixture.store.session(fixture.ann, "main") == main)
    #expect(try fixture.store.sessions(of: fixture.ann).map(\.name) == ["empty", "main"])
    #expect(try fixture.store.session(fixture.bob, "empty") == nil)
    let again = try fixture.store.commit([.saveSession(fixture.ann, name: "main", bytes: bytes)])
    #expect(again.revision == commit.revision, "the same bytes change nothing")
    _ = try fixture.store.commit([.deleteSession(fixture.ann, name: "main")])
    #expect(try fixture.store.session(fixture.ann, "main") == nil)
    #expect(try fixture.store.session(fixture.bob, "main")?.bytes == [9])
  }
}
