import Dates
import Posts
import TestSupport
import Testing

@testable import Store

@Suite("Followers-only and direct posts do not leak to other accounts")
struct VisibilityTests {
  @Test("importing another account's private post creates a separate copy") func forged()
    throws
  {
    let fixture = try Fixture()
    try fixture.load([tweet("1", "secret", .direct)])
    let report = try fixture.load([tweet("1", "forged")], as: fixture.bob)
    #expect(report.new == 1, "the existence of the other post is not revealed")
    #expect(try fixture.texts(fixture.bob) == ["forged"])
    #expect(try fixture.texts().sorted() == ["forged", "secret"])
    #expect(try fixture.load([tweet("1", "secret", .direct)]).same == 1)
  }

  @Test("only the owner can make a shared post private") func hidden() throws {
    let fixture = try Fixture()
    try fixture.load([tweet("1", "public")])
    #expect(try fixture.load([tweet("1", "mine", .followers)], as: fixture.bob).new == 1)
    #expect(try fixture.texts() == ["public"])
    #expect(try fixture.load([tweet("1", "edited")], as: fixture.bob).changed == 1, "his own copy, now for everyone")
    #expect(try fixture.store.post(PostID(1), visibleTo: fixture.ann)?.text == "public")
  }

  @Test("a repost of a private original cannot be taken over by an import with the same names") func takenOver() throws
  {
    let fixture = try Fixture()
    try fixture.load([tweet("x", at: 2, by: "2", of: tweet("o", "secret", at: 1, .direct))])
    let forged = [
      tweet("x", at: 2, by: "2", of: tweet("o", "forged", at: 1, .direct)), tweet("r", "reply", at: 3, answers: "x"),
    ]
    let report = try fixture.load(forged, as: fixture.bob)
    #expect(report.new == 2)
    #expect(try fixture.visible().filter { $0.owner == fixture.ann }.map(\.text) == ["secret"])
    #expect(try fixture.texts(fixture.bob) == ["reply", "forged"])
    let parent = try fixture.store.resolve(reference: "twitter:o", visibleTo: fixture.bob)
    #expect(try fixture.visible(fixture.bob).map(\.inReplyTo) == [parent, nil])
    #expect(parent != (try fixture.store.resolve(reference: "twitter:o", visibleTo: fixture.ann)))
  }

  @Test("an import cannot forge local posts of another account") func impersonation() throws {
    let fixture = try Fixture()
    _ = try fixture.write("mine", at: 1)
    var exported = try fixture.store.exportPage(limit: 1, visibleTo: fixture.bob).posts
    exported[0].body.text = "forged"
    exported[0].author.displayName = "forged"
    var new = exported[0]
    new.nativeID = "another"
    let report = try fixture.load(exported + [new, tweet("x", of: new)], as: fixture.bob)
    #expect(report.refused == (0..<3).map { RefusedPost(index: $0, reason: .anotherAccount) })
    #expect(try fixture.texts() == ["mine"])
    #expect(try fixture.load([new]).new == 1, "the account itself may import it")
  }

  @Test(
    "an import neither changes local posts of others nor takes the ID of a post that is yet to be written")
  func written() throws {
    let fixture = try Fixture()
    let mine = try fixture.write("mine", at: 1)
    let exported = try fixture.store.exportPage(limit: 1, visibleTo: fixture.bob).posts[0]
    #expect(try fixture.load([exported], as: fixture.bob).same == 1, "an export of everything comes back unchanged")
    for author in ["ghost", "bob"] {
      var forged = exported
      forged.author.nativeID = author
      forged.body.text = "forged"
      #expect(try fixture.load([forged], as: fixture.bob).refused.map(\.reason) == [.takenID], "\(author)")
    }
    var next = exported
    next.author.nativeID = "bob"
    next.nativeID = String(exported.nativeID.dropLast("\(mine.id.rawValue)".count)) + "\(mine.id.rawValue + 7)"
    #expect(
      try fixture.load([next], as: fixture.bob).refused.count == 1, "the name of a post that is yet to be written")
    for number in 2...9 { _ = try fixture.write("\(number)", at: Int64(number)) }
    #expect(try fixture.texts().sorted() == (2...9).map { "\($0)" } + ["mine"])
  }

  @Test("an export for others contains neither the owner's marks nor the source's JSON") func marks() throws {
    let fixture = try Fixture()
    var post = tweet("1", "seen by all", at: 1)
    post.body.flags = [.favourited, .saved, .sensitive]
    post.native = Array(#"{"bookmarked":true}"#.utf8)
    try fixture.load([post])
    let own = try fixture.store.exportPage(limit: 9, visibleTo: fixture.ann).posts[0]
    let other = try fixture.store.exportPage(limit: 9, visibleTo: fixture.bob).posts[0]
    #expect(own.body.flags == [.favourited, .saved, .sensitive] && own.native == post.native)
    #expect(other.body.flags == .sensitive && other.native == [])
  }

  @Test("an author without visible posts is unknown, even by name") func authors() throws {
    let fixture = try Fixture()
    try fixture.load([
      tweet("1", "secret", by: "9", .direct), tweet("2", at: 2, by: "8", .direct, of: tweet("3", "open", by: "7")),
    ])
    let (secret, open) = (try author("9", fixture), try author("7", fixture))
    for reference in ["\(secret.rawValue)", "twitter:9", "h9", "@H9"] {
      #expect(try fixture.store.resolve(author: reference, for: fixture.ann) == secret)
      #expect(try fixture.store.resolve(author: reference, for: fixture.bob) == nil)
    }
    #expect(try fixture.store.profile(of: secret, for: fixture.bob) == nil)
    #expect(try fixture.store.page(by: secret, for: fixture.bob, limit: 9) == nil)
    #expect(try fixture.store.commit([.follow(fixture.bob, secret)]).outcomes == [.refused(.noAuthor(secret))])
    #expect(
      try fixture.store.resolve(author: "h7", for: fixture.bob) == open,
      "its post is only an original, but public")
  }

  @Test(
    "an author whose posts all became private is unknown, and can be neither claimed nor counted"
  ) func narrowed() throws {
    let fixture = try Fixture()
    try fixture.load([tweet("1", "open", by: "7")])
    let seven = try author("7", fixture)
    #expect(try fixture.store.resolve(author: "h7", for: fixture.bob) == seven)
    try fixture.load([tweet("1", "open", by: "7", .direct)])
    #expect(try fixture.store.resolve(author: "h7", for: fixture.bob) == nil)
    #expect(try fixture.store.profile(of: seven, for: fixture.bob) == nil)
    let claim = try fixture.store.commit([.claimIdentity(fixture.bob, source: "twitter", authorNativeID: "7")])
    #expect(claim.outcomes == [.refused(.noSuchAuthor(source: "twitter", nativeID: "7"))])
    _ = try fixture.store.commit([.follow(fixture.ann, seven)])
    let ann = try #require(try fixture.store.localAuthor(of: fixture.ann)).id
    let counts = try [fixture.ann, fixture.bob].map { try fixture.store.profile(of: ann, for: $0)?.following }
    #expect(counts[0] == counts[1].map { $0 + 1 })
    #expect(try fixture.store.integrity() == [])
  }

  private func author(_ id: String, _ fixture: Fixture) throws -> AuthorID {
    try #require(try fixture.store.resolve(author: "twitter:\(id)", for: fixture.ann))
  }
}

@Suite("Random attempts to see hidden posts fail")
struct AttemptTests {
  /// With four seeds, 100,000 attempts. Every text names its readers, whatever happened since it was written.
  @Test(
    "25,000 seeded attempts, through every reader of the store, during random changes",
    arguments: seeds(11...14 as ClosedRange<UInt64>))
  func attempts(seed: UInt64) throws {
    var world = try ModelWorld(seed: seed, accounts: 3)
    let reader = try StoreReader(path: world.folder.file("posts.db"))
    var seen = 0
    for _ in 0..<250 {
      try world.step()
      for _ in 0..<100 { seen += try attempt(reader, &world) }
    }
    #expect(seen > 10_000, "the attempts saw enough posts")
    #expect(try world.store.integrity() == [])
  }

  /// Reads once in a random way; returns the number of posts seen.
  private func attempt(_ store: StoreReader, _ world: inout ModelWorld) throws -> Int {
    let (account, other) = (world.account(), world.account())
    func number(_ end: Int64) -> Int64 { Int64.random(in: 1...end, using: &world.random) }
    let id = PostID(number(200))
    let key = OrderKey(createdAt: Instant(seconds: number(200)), id: id)
    var posts: [StoredPost] = []
    switch Int.random(in: 0..<12, using: &world.random) {
    case 0, 1:
      let list = [ListName.home(other), .mentions(other), .messages(other), .made(other, ListID(number(40)))]
        .randomElement(using: &world.random)!
      let page = try store.page(of: list, for: account, before: key, limit: 3)
      if account != other {
        #expect(try page == nil && store.count(of: list, for: account) == 0, "another's list")
        return 0
      }
      posts = try checked(page)
    case 2, 3:
      let group = AudienceGroupID(number(30))
      posts = try checked(try store.page(of: .direct(group), for: account, before: key, limit: 3))
      let people = try store.people(of: group, for: account)
      #expect(people.map { $0.contains { $0.id == account } } ?? posts.isEmpty)
    case 4:
      let author = AuthorID(number(14))
      posts = try checked(try store.page(by: author, for: account, before: key, limit: 3))
      let profile = try store.profile(of: author, for: account)
      #expect(profile?.posts ?? 0 == world.model.profile(author, for: account).count)
    case 5: posts = try store.conversation(of: id, visibleTo: account, limit: 9)
    case 6: posts = try store.post(id, visibleTo: account).map { [$0] } ?? []
    case 7:
      let name = ["s\(number(25) - 1)", "p\(other.rawValue)-\(number(6) - 1)", "r\(other.rawValue)-\(number(6) - 1)"]
        .randomElement(using: &world.random)!
      let reference = [name, "alias \(name)"].map { "twitter:\($0)" }.randomElement(using: &world.random)!
      guard let found = try store.resolve(reference: reference, visibleTo: account) else { return 0 }
      posts = [try #require(try store.post(found, visibleTo: account), "a resolved post is visible")]
    case 8:
      let list = ListID(number(40))
      let isOwn = world.model.lists.contains { $0.id == list && $0.account == account }
      #expect(try (store.authors(in: list, of: account) != nil) == isOwn)
    default:
      let publicOnly = Bool.random(using: &world.random)
      let page = try store.exportPage(after: key, limit: 3, visibleTo: account, publicOnly: publicOnly)
      for post in page.posts.flatMap({ [$0] + $0.original }) where post.original.isEmpty {
        #expect(world.mayRead(post.body.text.string, account, publicOnly: publicOnly))
        #expect(
          post.native.isEmpty
            || world.mayRead(String(decoding: post.native, as: UTF8.self), account, publicOnly: publicOnly))
      }
      return page.posts.count
    }
    for post in posts {
      #expect(world.mayRead(post.text, account), "\(account) reads \(post.text)")
      #expect(try post.audience.includes(account, store.members(of: [post])))
      #expect(world.model.posts[post.id].map { world.model.maySee(account, $0) } == true)
    }
    return posts.count
  }

  /// Returns the posts of a page after checking that it has their authors and members.
  private func checked(_ page: PostPage?) throws -> [StoredPost] {
    guard let page else { return [] }
    for post in page.posts {
      #expect(page.authors.contains { $0.id == post.author })
      if case .group(let group) = post.audience { #expect(page.members[group] != nil) }
    }
    #expect(page.total >= page.posts.count)
    return page.posts
  }
}
