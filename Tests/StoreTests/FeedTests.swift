import Dates
import Posts
import Testing
import ViewState

@testable import Store

@Suite("Feeds are authors: subscribing is following")
struct FeedTests {
  private let fixture: Fixture
  private var store: PostStore { fixture.store }

  init() throws { fixture = try Fixture(follows: .ask) }

  @discardableResult
  private func add(
    _ url: String, as account: AccountID? = nil, title: SafeText = .empty, isPrivate: Bool = false
  ) throws -> ListedFeed {
    try stored(
      .addFeed(NewFeed(account: account ?? fixture.ann, url: url, host: "host", title: title, isPrivate: isPrivate)))
  }

  private func stored(_ write: Write) throws -> ListedFeed {
    let outcome = try store.commit([write]).outcomes[0]
    guard case .feedStored(let feed) = outcome else { throw Unexpected(outcome) }
    return feed
  }

  @discardableResult
  private func bring(_ feed: String, _ items: [UpstreamItem]) throws -> UpstreamBatchResult {
    let batch = UpstreamBatch(number: "1", subject: .feed(feed), items: items, cursors: ["etag": "x"])
    let outcome = try store.commit([.takeBatches(source: StoredFeed.source, [batch])]).outcomes[0]
    guard case .batchesTaken(let taken) = outcome else { throw Unexpected(outcome) }
    return taken[0].result
  }

  private static func post(_ feed: String, _ id: String, _ text: SafeText) -> UpstreamItem {
    let author = ImportedAuthor(nativeID: feed, handle: .empty, displayName: .empty)
    return .post(
      ImportedPost(
        source: "feed", nativeID: "\(feed)/\(id)", author: author, createdAt: Instant(seconds: 5),
        body: PostBody(text: text)), in: .home, unfiled: [])
  }

  @Test("the flag unread of a feed's post is kept as it comes") func flags() throws {
    try add("http://a.example")
    guard case .post(var post, let lists, _) = Self.post("f1", "1", "Otter.") else { return }
    post.body.flags = .unread
    try bring("f1", [.post(post, in: lists, unfiled: [])])
    let id = try #require(try store.resolve(reference: "feed:f1/1", visibleTo: fixture.ann))
    #expect(try store.post(id, visibleTo: fixture.ann)?.body.flags == .unread)
  }

  private func home(_ account: AccountID) throws -> [String] { try store.home(account).map(\.text) }

  @Test("a feed that was not read yet is known to those who follow it, and can be put into a list") func unread() throws
  {
    let shared = try add("http://a.example").feed.author
    let own = try add("http://b.example", isPrivate: true).feed.author
    for author in [shared, own] {
      let number = String(author.rawValue)
      #expect(try store.resolve(author: number, for: fixture.ann) == author)
      #expect(try store.resolve(author: number, for: fixture.bob) == nil)
      #expect(try store.profile(of: author, for: fixture.ann) != nil)
    }
    try add("http://a.example", as: fixture.bob)
    #expect(try store.resolve(author: "feed:f1", for: fixture.bob) == shared)
    guard case .listMade(let list) = try store.commit([.makeList(fixture.ann, name: "Sea")]).outcomes[0] else { return }
    #expect(try store.commit([.addToList(fixture.ann, list, shared)]).outcomes[0] == .listChanged(list))
  }

  @Test("posts are for those who follow the feed, and not for the account that added it first and left") func shared()
    throws
  {
    #expect(try add("http://a.example").feed.number == 1)
    try bring("f1", [Self.post("f1", "g1", "One.")])
    #expect(try home(fixture.ann) == ["One."] && home(fixture.bob) == [])
    #expect(try add("http://a.example", as: fixture.bob).feed.number == 1)
    #expect(try home(fixture.bob) == ["One."])
    _ = try stored(.removeFeed(fixture.ann, 1))
    try bring("f1", [Self.post("f1", "g2", "Two.")])
    #expect(try home(fixture.ann) == [] && home(fixture.bob).sorted() == ["One.", "Two."])
    #expect(try store.integrity().isEmpty)
  }

  @Test("a private feed and its posts are its account's alone") func alone() throws {
    try add("http://a.example")
    #expect(try add("http://a.example", as: fixture.bob, isPrivate: true).feed.number == 2)
    try bring("f2", [Self.post("f2", "g1", "Mine.")])
    #expect(try home(fixture.bob) == ["Mine."] && home(fixture.ann) == [])
    #expect(try store.resolve(reference: "feed:f2/g1", visibleTo: fixture.ann) == nil)
  }

  @Test("whoever else follows the author of a private feed sees neither its address nor its posts") func stranger()
    throws
  {
    let feed = try add("http://me:secret@a.example", isPrivate: true)
    try bring("f1", [Self.post("f1", "g1", "Mine.")])
    _ = try store.commit([.follow(fixture.bob, feed.author.id)])
    #expect(try store.listedFeeds(fixture.bob).isEmpty && home(fixture.bob).isEmpty)
    for write in [Write.setFeed(FeedChange(feed: 1, account: fixture.bob, title: "x")), .removeFeed(fixture.bob, 1)] {
      #expect(try store.commit([write]).outcomes[0] == .refused(.noSuchFeed(1)))
    }
    _ = try stored(.removeFeed(fixture.ann, 1))
    #expect(try store.toldFeeds().isEmpty, "it is asked for its account alone")
  }

  @Test("a shared feed is changed by the account that added it, and its address has no password") func ownership()
    throws
  {
    try add("http://a.example")
    try add("http://a.example", as: fixture.bob, title: "Not Bob's to name")
    #expect(try store.listedFeeds(fixture.bob).map(\.author.displayName) == ["host"])
    let elsewhere = FeedChange(feed: 1, account: fixture.bob, url: "http://b.example")
    #expect(try store.commit([.setFeed(elsewhere)]).outcomes[0] == .refused(.notOwnFeed(1)))
    var secret = FeedChange(feed: 1, account: fixture.ann, url: "http://me:secret@a.example")
    secret.isSecretURL = true
    #expect(try store.commit([.setFeed(secret)]).outcomes[0] == .refused(.secretAddress(1)))
    try add("http://c.example", isPrivate: true)
    secret.feed = 2
    #expect(try stored(.setFeed(secret)).feed.url == "http://me:secret@a.example")
  }

  @Test("its program is told of the feeds that are followed, with the cursors of those that it does not know")
  func told() throws {
    try add("http://a.example")
    try add("http://b.example")
    try bring("f1", [])
    let told = try store.toldFeeds()
    #expect(told.map(\.feed.name) == ["f1", "f2"] && told.map(\.cursors) == [["etag": "x"], [:]])
    #expect(try store.toldFeeds(knowing: ["f1": told[0].feed]).map(\.cursors) == [[:], [:]])
    let commit = try store.commit([.removeFeed(fixture.ann, 1)])
    #expect(commit.feeds == FeedChanges(changed: [1]))
    #expect(try store.feeds(.numbers([1, 2])).map(\.feed.name) == ["f2"])
    #expect(try store.feeds(.page(after: 1, limit: 1)).map(\.feed.name) == ["f2"])
    #expect(try store.toldFeeds().map(\.feed.name) == ["f2"])
    #expect(try store.commit([.follow(fixture.ann, AuthorID(999))]).feeds.isEmpty)
  }

  @Test("a chosen title stays, whatever the feed calls itself") func titles() throws {
    #expect(try add("http://a.example").author.displayName == "host")
    let person = UpstreamItem.person(ImportedAuthor(nativeID: "f1", handle: "", displayName: "News"), unkept: [])
    try bring("f1", [person])
    #expect(try store.listedFeeds(fixture.ann).map(\.author.displayName) == ["News"])
    #expect(try stored(.setFeed(FeedChange(feed: 1, account: fixture.ann, title: "Mine"))).author.displayName == "Mine")
    try bring("f1", [person])
    #expect(try store.listedFeeds().map(\.author.displayName) == ["Mine"])
  }

  @Test("an account's attributes of a feed are its own, and go with its subscription") func attributes() throws {
    func add(_ account: AccountID, _ attributes: SafeText) -> Write {
      .addFeed(NewFeed(account: account, url: "http://a.example", host: "host", attributes: attributes))
    }
    #expect(try stored(add(fixture.ann, "rating=\"5\"")).attributes == "rating=\"5\"")
    #expect(try stored(add(fixture.bob, "")).attributes == "")
    _ = try stored(add(fixture.ann, ""))
    #expect(try store.listedFeeds(fixture.ann).map(\.attributes) == ["rating=\"5\""])
    #expect(try store.listedFeeds(fixture.bob).map(\.attributes) == [""])
    _ = try stored(.removeFeed(fixture.ann, 1))
    #expect(try stored(add(fixture.ann, "")).attributes == "")
    let long = SafeText(String(repeating: "x", count: StoreLimits.feedAttributeBytes + 1))
    let refusal = Refusal.tooLong("the attributes", limit: 1_000)
    #expect(try store.commit([add(fixture.ann, long)]).outcomes[0] == .refused(refusal))
  }

  @Test("a new address begins without cursors, unless the feed has moved there") func moved() throws {
    try add("http://a.example")
    try add("http://b.example")
    try bring("f1", [.moved("http://c.example"), .moved("http://b.example")])
    #expect(try store.toldFeeds().first?.cursors == ["etag": "x"])
    #expect(try store.listedFeeds().first?.feed.url == "http://c.example")
    _ = try stored(.setFeed(FeedChange(feed: 1, account: nil, url: "http://d.example")))
    #expect(try store.toldFeeds().first?.cursors == [:])
    #expect(
      try store.commit([.setFeed(FeedChange(feed: 1, account: nil, url: "http://b.example"))]).outcomes[0]
        == .refused(.feedTaken(2)))
  }

  @Test("a refused subscription leaves no feed behind") func leftovers() throws {
    let long = SafeText(String(repeating: "x", count: StoreLimits.displayNameBytes + 1))
    let add = Write.addFeed(NewFeed(account: fixture.ann, url: "http://a.example", host: "h", title: long))
    #expect(
      try store.commit([add]).outcomes == [.refused(.tooLong("the title", limit: StoreLimits.displayNameBytes))])
    #expect(try store.listedFeeds(fixture.ann).isEmpty)
    try store.database.execute(
      """
      WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < \(StoreLimits.listAuthors))
      INSERT INTO list_authors SELECT (SELECT id FROM lists WHERE kind = 1 AND account_id = \(fixture.ann.rawValue)),
        1000 + i FROM n
      """)
    let refused = Refusal.tooMany("followed authors", limit: StoreLimits.listAuthors)
    let full = Write.addFeed(NewFeed(account: fixture.ann, url: "http://a.example", host: "h"))
    #expect(try store.commit([full]).outcomes == [.refused(refused)])
    #expect(try self.add("http://b.example", as: fixture.bob).feed.number == 1)
  }

  @Test("feeds that nobody follows take no room, and numbers are not given again") func room() throws {
    for number in 1...3 {
      #expect(try add("http://\(number).example").feed.number == Int64(number))
      _ = try stored(.removeFeed(fixture.ann, Int64(number)))
    }
    try add("http://4.example")
    let author = try add("http://4.example", as: fixture.bob).feed.author
    _ = try stored(.removeFeed(fixture.ann, 4))
    // All but one of the feeds that Ann may have added; nobody sees them, but their follower has too many for the rest.
    try store.database.execute(
      """
      WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < \(StoreLimits.accountFeeds - 1))
      INSERT INTO feeds SELECT 100 + i, 'http://n.example/' || i, \(fixture.ann.rawValue), 1000 + i, 0, '', 0, 0, 0 FROM n
      """)
    try store.database.execute(
      """
      INSERT INTO list_authors SELECT (SELECT id FROM lists WHERE kind = 1 AND account_id = \(fixture.bob.rawValue)),
        author_id FROM feeds WHERE id > 100
      """)
    // The writer's caches go with it.
    fixture.store.upstreams = ["other"]
    func addLast() throws -> Outcome {
      try store.commit([.addFeed(NewFeed(account: fixture.ann, url: "http://last.example", host: "h"))]).outcomes[0]
    }
    let refused = Outcome.refused(.tooMany("feeds that you have added", limit: StoreLimits.accountFeeds))
    #expect(try addLast() == refused, "Bob still follows what Ann has added and left")
    _ = try store.commit([.unfollow(fixture.bob, author)])
    guard case .feedStored(let feed) = try addLast() else { return #expect(Bool(false)) }
    #expect(feed.feed.number == Int64(100 + StoreLimits.accountFeeds))
    _ = try store.commit([.unfollow(fixture.ann, feed.feed.author)])
    try add("http://4.example", as: fixture.bob)
    #expect(try addLast() == refused)
  }

  @Test("forgetting the posts of feeds forgets how far they were read, for those of the account") func forgotten()
    throws
  {
    try add("http://a.example")
    try add("http://b.example", as: fixture.bob)
    try bring("f1", [Self.post("f1", "g1", "One.")])
    try bring("f2", [Self.post("f2", "g1", "Two.")])
    let commit = try store.commit([.forget(Forgetting(.source("feed"), of: fixture.ann))])
    #expect(commit.feeds.restarted == [1] && commit.feeds.changed.isEmpty)
    #expect(try home(fixture.ann).isEmpty && store.toldFeeds().map(\.cursors) == [[:], ["etag": "x"]])
    try bring("f1", [Self.post("f1", "g1", "One.")])
    #expect(try home(fixture.ann) == ["One."])
    #expect(try store.commit([.forget(Forgetting(.source("feed"), of: nil))]).feeds.restarted == [1, 2])
    #expect(try store.toldFeeds().map(\.cursors) == [[:], [:]])
  }

  @Test("what cannot be is refused") func refusals() throws {
    try add("http://a.example")
    let refusals: [(Write, Refusal)] = [
      (.setFeed(FeedChange(feed: 1, account: fixture.bob, title: "x")), .noSuchFeed(1)),
      (.removeFeed(fixture.ann, 7), .noSuchFeed(7)),
      (.setFeed(FeedChange(feed: 1, account: fixture.ann, intervalMinutes: 14)), .unusableInterval(14)),
      (
        .claimIdentity(fixture.ann, source: "feed", authorNativeID: "f1"), .noSuchAuthor(source: "feed", nativeID: "f1")
      ),
      (
        .addFeed(NewFeed(account: fixture.ann, url: String(repeating: "x", count: 4_097), host: "h")),
        .tooLong("the address", limit: 4_096)
      ),
    ]
    for (write, refusal) in refusals { #expect(try store.commit([write]).outcomes[0] == .refused(refusal)) }
    #expect(try bring("f7", []) == .refused("there is no feed f7"))
  }
}
