import Dates
import Posts
import TestSupport
import Testing

@testable import Store

@Suite("Nobody sees a followers-only or direct post of another account, by any way")
struct VisibilityTests {
  @Test("a post of the same name by another account is a copy of its own, and the first stays as it was") func forged()
    throws
  {
    let fixture = try Fixture()
    try fixture.load([tweet("1", "secret", .direct)])
    let report = try fixture.load([tweet("1", "forged")], as: fixture.bob)
    #expect(report.new == 1, "whether it was there is not told")
    #expect(try fixture.texts(fixture.bob) == ["forged"])
    #expect(try fixture.texts().sorted() == ["forged", "secret"])
    #expect(try fixture.load([tweet("1", "secret", .direct)]).same == 1)
  }

  @Test("a shared post is not made private by one who does not own it") func hidden() throws {
    let fixture = try Fixture()
    try fixture.load([tweet("1", "public")])
    #expect(try fixture.load([tweet("1", "mine", .followers)], as: fixture.bob).new == 1)
    #expect(try fixture.texts() == ["public"])
    #expect(try fixture.load([tweet("1", "edited")], as: fixture.bob).changed == 1, "his own copy, now for everyone")
    #expect(try fixture.store.post(PostID(1), visibleTo: fixture.ann)?.text == "public")
  }

  @Test("a repost of a private original is not taken over by importing one of the same names") func takenOver() throws {
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

  @Test("nobody's words are put into another account's mouth") func impersonation() throws {
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
    #expect(try fixture.load([new]).new == 1, "its own it may import")
  }

  /// Every text names its owner and whether it is private, so that a leak shows in what is read, whatever was done.
  @Test("20,000 seeded attempts", arguments: [1, 2, 3, 4] as [UInt64])
  func seeded(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let fixture = try Fixture()
    let eve = try fixture.store.account(uid: 1002, name: "eve").id
    let accounts = [fixture.ann, fixture.bob, eve]
    var seen = 0
    for round in 0..<100 {
      let owner = accounts.randomElement(using: &random)!
      try fixture.load((0..<10).map { _ in post(by: owner, round, &random) }, as: owner)
      let parent = PostID(Int64.random(in: 1...200, using: &random))
      let visibility = [Visibility.public, .unlisted].randomElement(using: &random)!
      _ = try fixture.store.commit([
        .compose(fixture.composition(text(owner, visibility), as: owner, at: Int64(round), to: parent, visibility))
      ])
      for account in accounts {
        for _ in 0..<16 { seen += try attempt(fixture.store, account, &random) }
      }
    }
    #expect(seen > 1_000, "the attempts saw something")
    for account in accounts { try checkCounts(fixture.store, account) }
    #expect(try fixture.store.integrity() == [])
  }

  private func text(_ owner: AccountID, _ visibility: Visibility) -> String {
    visibility == .public || visibility == .unlisted ? "public" : "private \(owner.rawValue)"
  }

  /// A post under one of few names, so that accounts hit each other's; half of them reposts or replies.
  private func post(by owner: AccountID, _ round: Int, _ random: inout SeededGenerator, nested: Bool = false)
    -> ImportedPost
  {
    let visibility = Visibility.allCases.randomElement(using: &random)!
    let id = String(Int.random(in: 0..<60, using: &random))
    let author = ["h1", "h2", "h3"].randomElement(using: &random)!
    let answers = Int.random(in: 0..<3, using: &random) == 0 ? String(Int.random(in: 0..<60, using: &random)) : nil
    var result = tweet(
      id, text(owner, visibility), at: Int64.random(in: 0..<50, using: &random), by: author, answers: answers, visibility,
      aliases: Bool.random(using: &random) ? ["alias\(id)"] : [], native: text(owner, visibility))
    if !nested && Int.random(in: 0..<4, using: &random) == 0 {
      result.original = [post(by: owner, round, &random, nested: true)]
    }
    return result
  }

  /// One read by a random way; the number of posts seen.
  private func attempt(_ store: StoreReader, _ account: AccountID, _ random: inout SeededGenerator) throws -> Int {
    let id = PostID(Int64.random(in: 1...400, using: &random))
    let name = String(Int.random(in: 0..<60, using: &random))
    var posts: [StoredPost] = []
    switch Int.random(in: 0..<6, using: &random) {
    case 0:
      let cursor = OrderKey(createdAt: Instant(seconds: Int64.random(in: 0..<60, using: &random)), id: id)
      posts = try store.home(account, before: cursor, limit: 20)
    case 1: posts = try store.conversation(of: id, visibleTo: account, limit: 50)
    case 2: posts = try store.post(id, visibleTo: account).map { [$0] } ?? []
    case 3:
      let reference = ["twitter:\(name)", "twitter:alias\(name)", "\(id.rawValue)"].randomElement(using: &random)!
      guard let found = try store.resolve(reference: reference, visibleTo: account) else { return 0 }
      posts = [try #require(try store.post(found, visibleTo: account), "what is named may be seen")]
    default:
      let isPublic = Bool.random(using: &random)
      let page = try store.exportPage(after: id, limit: 20, visibleTo: account, publicOnly: isPublic)
      for post in page.posts.flatMap({ [$0] + $0.original }) where post.original.isEmpty {
        check(post.body.text.string, account, isPublic: isPublic)
        check(String(decoding: post.native, as: UTF8.self), account, isPublic: isPublic)
      }
      return page.posts.count
    }
    for post in posts {
      check(post.text, account)
      #expect(post.audience.includes(account))
    }
    return posts.count
  }

  private func check(_ text: String, _ account: AccountID, isPublic: Bool = false) {
    if text.isEmpty { return }
    #expect(text == "public" || (!isPublic && text == "private \(account.rawValue)"))
  }

  private func checkCounts(_ store: PostStore, _ account: AccountID) throws {
    let entries = try store.home(account, limit: 100_000)
    #expect(try store.count(of: .home(account), for: account) == entries.count)
    #expect(
      entries.map { [$0.createdAt.milliseconds, $0.id.rawValue] }
        == entries.map { [$0.createdAt.milliseconds, $0.id.rawValue] }.sorted { ($0[0], $0[1]) > ($1[0], $1[1]) })
    for post in entries where post.repostedBy == nil {
      #expect(post.audience == Audience(visibility: post.body.visibility, owner: post.owner))
    }
  }
}
