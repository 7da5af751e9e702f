import Dates
import Posts
import Testing

@testable import Store

@Suite("Home lists and follows")
struct HomeTests {
  @Test("a new account and all others follow each other, so it sees earlier posts") func introduced()
    throws
  {
    let fixture = try Fixture()
    _ = try fixture.write("before", at: 1)
    _ = try fixture.write("before, quietly", at: 2, .followers)
    let carol = try fixture.store.account(uid: nil, name: "carol").id
    _ = try fixture.write("after", as: carol, at: 3)
    #expect(try fixture.store.home(carol).map(\.text) == ["after", "before, quietly", "before"])
    #expect(try fixture.store.home(fixture.ann).map(\.text) == ["after", "before, quietly", "before"])
  }

  @Test("home has own posts, own imports and followed authors, but not the imports of others") func home() throws {
    let fixture = try Fixture()
    try fixture.load([tweet("1", "ann's import", at: 1, by: "5")])
    _ = try fixture.write("ann's", at: 2)
    _ = try fixture.write("bob's", as: fixture.bob, at: 3)
    #expect(try fixture.store.home(fixture.ann).map(\.text) == ["bob's", "ann's", "ann's import"])
    #expect(try fixture.store.home(fixture.bob).map(\.text) == ["bob's", "ann's"])
    #expect(
      try fixture.load([tweet("1", "ann's import", at: 1, by: "5")], as: fixture.bob).changed == 1,
      "it joined a list")
    #expect(try fixture.store.home(fixture.bob).map(\.text) == ["bob's", "ann's", "ann's import"])
    #expect(try fixture.load([tweet("1", "ann's import", at: 1, by: "5")], as: fixture.bob).same == 1)
  }

  @Test("following adds all posts and reposts of an author; unfollowing removes those without another reason")
  func follow()
    throws
  {
    let fixture = try Fixture()
    try fixture.load([
      tweet("1", "one", at: 1, by: "5"), tweet("2", "two", at: 2, by: "5"),
      tweet("3", at: 3, by: "5", of: tweet("4", "four", by: "6")),
      tweet("5", "secret", at: 5, by: "5", .direct),
    ])
    try fixture.load([tweet("2", "two", at: 2, by: "5")], as: fixture.bob)
    let author = try #require(try fixture.store.resolve(author: "twitter:5", for: fixture.bob))
    let followed = try fixture.store.commit([.follow(fixture.bob, author)])
    #expect(followed.outcomes == [.followed(author)] && followed.changes.reloaded == [.home(fixture.bob)])
    #expect(try fixture.store.home(fixture.bob).map(\.text) == ["four", "two", "one"])
    #expect(
      try fixture.store.commit([.follow(fixture.bob, author)]).changes == Changes(), "following again changes nothing")
    try fixture.load([tweet("9", "nine", at: 9, by: "5")])
    #expect(try fixture.store.home(fixture.bob).map(\.text) == ["nine", "four", "two", "one"])
    _ = try fixture.store.commit([.unfollow(fixture.bob, author)])
    #expect(try fixture.store.home(fixture.bob).map(\.text) == ["two"], "he imported it")
    #expect(try fixture.store.commit([.unfollow(fixture.bob, author)]).revision == fixture.store.revision)
    #expect(
      try fixture.store.commit([.follow(fixture.bob, AuthorID(99))]).outcomes == [.refused(.noAuthor(AuthorID(99)))])
  }

  @Test("the number of followed authors is limited") func limit() throws {
    let fixture = try Fixture()
    let posts = (0..<StoreLimits.listAuthors).map { tweet("\($0)", by: "author\($0)") }
    let authors = try fixture.load(posts).authors.map(\.id)
    // The other account is followed already.
    let outcomes = try fixture.store.commit(authors.map { .follow(fixture.ann, $0) }).outcomes
    #expect(outcomes.dropLast() == authors.dropLast().map { .followed($0) }[...])
    #expect(outcomes.last == .refused(.tooMany("followed authors", limit: StoreLimits.listAuthors)))
  }
}

@Suite("Mentions: posts that name an account or reply to it")
struct MentionTests {
  private func mentions(_ fixture: Fixture, _ account: AccountID) throws -> [String] {
    try fixture.store.page(of: .mentions(account), for: account, limit: 100)?.posts.map(\.text) ?? []
  }

  /// Returns a tweet with the spans of its mentions.
  private func named(
    _ id: String, _ text: String, at seconds: Int64, by author: String, _ visibility: Visibility = .public
  ) -> ImportedPost {
    var post = tweet(id, text, at: seconds, by: author, visibility)
    post.body.spans = TextSpans.find(in: post.body.text)
    return post
  }

  @Test("local mentions use the account's name in any case, and exclude own and hidden posts") func local() throws {
    let fixture = try Fixture()
    for (second, text) in ["@bob", "@Bob!", "x@bob", "bob", "@bobby", "@ann @BOB"].enumerated() {
      _ = try fixture.write(text, at: Int64(second))
    }
    _ = try fixture.write("@bob myself", as: fixture.bob, at: 10)
    #expect(try mentions(fixture, fixture.bob) == ["@ann @BOB", "@Bob!", "@bob"])
    #expect(try mentions(fixture, fixture.ann).isEmpty)
  }

  @Test("a reply to an own post is a mention, whichever arrives first") func answers() throws {
    let fixture = try Fixture()
    let mine = try fixture.write("mine", at: 1)
    _ = try fixture.write("yours", as: fixture.bob, at: 2, to: mine.id)
    _ = try fixture.write("my own answer", at: 3, to: mine.id)
    #expect(try mentions(fixture, fixture.ann) == ["yours"])
    try fixture.load([tweet("0", by: "1")])
    _ = try fixture.store.commit([.claimIdentity(fixture.ann, source: "twitter", authorNativeID: "1")])
    try fixture.load([tweet("r", "early", at: 5, by: "2", answers: "p")])
    let report = try fixture.store.commit([.importBatch([tweet("p", "parent", at: 4, by: "1")], owner: fixture.ann)])
    #expect(try mentions(fixture, fixture.ann) == ["early", "yours"])
    #expect(report.changes.entered[.mentions(fixture.ann)]?.count == 1)
  }

  @Test("claiming an identity finds its mentions, and renaming it finds others") func claimed() throws {
    let fixture = try Fixture()
    try fixture.load([
      named("1", "@h1 hello", at: 1, by: "2"), named("2", "@H7 hello", at: 2, by: "2"),
      named("3", "I, @h1", at: 3, by: "1"),
      named("4", "@h1 secret", at: 4, by: "2", .direct), tweet("5", "an answer", at: 5, by: "2", answers: "3"),
    ])
    let claim = try fixture.store.commit([.claimIdentity(fixture.bob, source: "twitter", authorNativeID: "1")])
    #expect(claim.changes.reloaded == [.mentions(fixture.bob), .home(fixture.bob)])
    #expect(try mentions(fixture, fixture.bob) == ["an answer", "@h1 hello"])
    #expect(try fixture.store.home(fixture.bob).map(\.text) == ["I, @h1"])
    var renamed = tweet("6", "new name", at: 6, by: "1")
    renamed.author.handle = "h7"
    let rename = try fixture.store.commit([.importBatch([renamed], owner: fixture.bob)])
    #expect(rename.changes.reloaded == [.mentions(fixture.bob)])
    #expect(try mentions(fixture, fixture.bob) == ["an answer", "@H7 hello"])
    #expect(try fixture.store.integrity() == [])
  }

  @Test("an edit adds and removes mentions") func edited() throws {
    let fixture = try Fixture()
    try fixture.load([tweet("0", by: "1")])
    _ = try fixture.store.commit([.claimIdentity(fixture.ann, source: "twitter", authorNativeID: "1")])
    try fixture.load([tweet("1", "nothing", at: 1, by: "2")])
    #expect(try mentions(fixture, fixture.ann).isEmpty)
    try fixture.load([named("1", "@h1", at: 1, by: "2")])
    #expect(try mentions(fixture, fixture.ann) == ["@h1"])
    try fixture.load([tweet("1", "nothing again", at: 1, by: "2")])
    #expect(try mentions(fixture, fixture.ann).isEmpty)
  }
}

@Suite("Messages: the newest post of each direct conversation")
struct MessageTests {
  private func texts(_ fixture: Fixture, _ list: ListName, _ account: AccountID) throws -> [String]? {
    try fixture.store.page(of: list, for: account, limit: 100)?.posts.map(\.text)
  }

  @Test("a conversation has one row for each of its people, and only they see its posts") func rows() throws {
    let fixture = try Fixture()
    let carol = try fixture.store.account(uid: 1002, name: "carol").id
    let first = try fixture.write("@bob one", at: 1, .direct)
    _ = try fixture.write("@bob @carol two", at: 2, .direct)
    let commit = try fixture.store.commit([.compose(fixture.composition("@ann three", as: fixture.bob, at: 3, .direct))]
    )
    #expect(
      commit.changes.left == [.messages(fixture.ann): [first.orderKey], .messages(fixture.bob): [first.orderKey]])
    _ = try fixture.write("@bob late", at: 0, .direct)
    #expect(try texts(fixture, .messages(fixture.ann), fixture.ann) == ["@ann three", "@bob @carol two"])
    #expect(try texts(fixture, .messages(carol), carol) == ["@bob @carol two"])
    guard case .group(let group) = first.audience else { throw Unexpected(commit.outcomes[0]) }
    #expect(try texts(fixture, .direct(group), fixture.bob) == ["@ann three", "@bob one", "@bob late"])
    #expect(try texts(fixture, .direct(group), carol) == nil)
    #expect(try fixture.store.people(of: group, for: fixture.ann)?.map(\.name) == ["ann", "bob"])
    #expect(try fixture.store.people(of: group, for: carol) == nil)
    #expect(commit.changes.groups.members == [group: [fixture.ann, fixture.bob]])
  }

  @Test("after the newest post is deleted, the one before becomes the newest") func deleted() throws {
    let fixture = try Fixture()
    let first = try fixture.write("@bob one", at: 1, .direct)
    let second = try fixture.write("@bob two", at: 2, .direct)
    let commit = try fixture.store.commit([.deletePost(fixture.ann, second.id, requestID: "")])
    #expect(commit.changes.removed == [second.orderKey] && commit.changes.changed == [first])
    #expect(commit.changes.entered == [.messages(fixture.ann): [first.id], .messages(fixture.bob): [first.id]])
    #expect(try texts(fixture, .messages(fixture.bob), fixture.bob) == ["@bob one"])
  }

  @Test("a group of followers is not a conversation") func followers() throws {
    let fixture = try Fixture()
    guard case .group(let group) = try fixture.write("quiet", .followers).audience else { return }
    #expect(try texts(fixture, .direct(group), fixture.ann) == nil)
    #expect(try fixture.store.people(of: group, for: fixture.ann) == nil)
    #expect(try texts(fixture, .messages(fixture.ann), fixture.ann) == [])
  }
}

@Suite("Lists that accounts make")
struct MadeListTests {
  private func make(_ fixture: Fixture, _ name: String) throws -> ListID {
    guard case .listMade(let id) = try fixture.store.commit([.makeList(fixture.ann, name: SafeText(name))]).outcomes[0]
    else {
      throw Refusal.emptyName
    }
    return id
  }

  @Test("lists are created, renamed, filled, emptied and deleted") func life() throws {
    let fixture = try Fixture()
    let list = try make(fixture, "friends")
    let post = try fixture.write("bob's", as: fixture.bob)
    let name = ListName.made(fixture.ann, list)
    let added = try fixture.store.commit([.addToList(fixture.ann, list, post.author)])
    #expect(added.changes.reloaded == [name] && added.changes.listsChanged == [fixture.ann])
    #expect(
      try fixture.store.madeLists(of: fixture.ann) == [
        MadeList(id: list, name: "friends", authorCount: 1, postCount: 1)
      ])
    #expect(try fixture.store.authors(in: list, of: fixture.ann)?.map(\.id) == [post.author])
    #expect(try fixture.store.page(of: name, for: fixture.ann, limit: 9)?.posts == [post])
    _ = try fixture.store.commit([.renameList(fixture.ann, list, name: "foes")])
    #expect(try fixture.store.madeList(list, of: fixture.ann)?.name == "foes")
    _ = try fixture.store.commit([.removeFromList(fixture.ann, list, post.author)])
    #expect(try fixture.store.count(of: name, for: fixture.ann) == 0)
    let deleted = try fixture.store.commit([.deleteList(fixture.ann, list)])
    #expect(deleted.outcomes == [.listDeleted(list)] && deleted.changes.listsChanged == [fixture.ann])
    #expect(try fixture.store.page(of: name, for: fixture.ann, limit: 9) == nil)
    #expect(try make(fixture, "friends") != list, "IDs are never reused")
  }

  @Test("list names have 1 to 64 bytes and are unique within an account; lists are private") func names() throws {
    let fixture = try Fixture()
    let list = try make(fixture, "friends")
    let other = try make(fixture, String(repeating: "x", count: 64))
    let bad: [(Write, Refusal)] = [
      (.makeList(fixture.ann, name: ""), .emptyName),
      (
        .makeList(fixture.ann, name: SafeText(String(repeating: "x", count: 65))),
        .tooLong("the list's name", limit: 64)
      ),
      (.makeList(fixture.ann, name: "friends"), .nameTaken("friends")),
      (.renameList(fixture.ann, other, name: "friends"), .nameTaken("friends")),
      (.renameList(fixture.bob, list, name: "mine"), .noSuchList(list)),
      (.deleteList(fixture.bob, list), .noSuchList(list)),
      (.addToList(fixture.bob, list, AuthorID(1)), .noSuchList(list)),
      (.removeFromList(fixture.bob, list, AuthorID(1)), .noSuchList(list)),
      (.deleteList(fixture.ann, ListID(1)), .noSuchList(ListID(1))),
      (.addToList(fixture.ann, list, AuthorID(99)), .noAuthor(AuthorID(99))),
      (.makeList(AccountID(99), name: "x"), .noSuchAccount(AccountID(99))),
    ]
    let revision = fixture.store.revision
    #expect(try fixture.store.commit(bad.map(\.0)).outcomes == bad.map { .refused($0.1) })
    #expect(fixture.store.revision == revision)
    #expect(
      try fixture.store.commit([.makeList(fixture.bob, name: "friends")]).outcomes.count == 1,
      "another account may use the same name")
    #expect(try fixture.store.commit([.renameList(fixture.ann, list, name: "friends")]).changes == Changes())
  }

  @Test("the number of lists is limited") func limit() throws {
    let fixture = try Fixture()
    let writes = (0...StoreLimits.lists).map { Write.makeList(fixture.ann, name: SafeText("list \($0)")) }
    let outcomes = try fixture.store.commit(writes).outcomes
    #expect(outcomes.last == .refused(.tooMany("lists", limit: StoreLimits.lists)))
    #expect(try fixture.store.madeLists(of: fixture.ann).count == StoreLimits.lists)
  }
}

@Suite("Unseen entries of sections")
struct SeenTests {
  @Test("the newest seen entry only moves forward, and newer ones are counted") func forward() throws {
    let fixture = try Fixture()
    let posts = try (1...5).map { try fixture.write("@bob \($0)", at: $0, .direct) }
    for section in [SeenSection.home, .mentions] { #expect(try fixture.store.unseen(section, of: fixture.bob) == 5) }
    #expect(try fixture.store.unseen(.messages, of: fixture.bob) == 1)
    func mark(_ index: Int) throws -> Outcome {
      try fixture.store.commit([.markSeen(fixture.bob, .mentions, posts[index].orderKey)]).outcomes[0]
    }
    #expect(try mark(2) == .seen(isNewer: true))
    #expect(try fixture.store.unseen(.mentions, of: fixture.bob) == 2)
    let revision = fixture.store.revision
    #expect(try mark(1) == .seen(isNewer: false) && mark(2) == .seen(isNewer: false))
    #expect(fixture.store.revision == revision)
    #expect(try fixture.store.seen(.mentions, of: fixture.bob) == posts[2].orderKey)
    #expect(try mark(4) == .seen(isNewer: true))
    #expect(try fixture.store.unseen(.mentions, of: fixture.bob) == 0)
    #expect(try fixture.store.unseen(.home, of: fixture.bob) == 5, "sections are independent")
    #expect(try fixture.store.seen(.mentions, of: fixture.ann) == nil)
  }

  @Test("at most a thousand are counted") func capped() throws {
    let fixture = try Fixture()
    try fixture.load((0..<1_100).map { tweet("\($0)", at: Int64($0)) })
    #expect(try fixture.store.unseen(.home, of: fixture.ann) == StoreLimits.unseen)
  }
}
