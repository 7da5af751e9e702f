import Dates
import Posts
import Testing
import ViewState

@testable import Store

@Suite("What is kept of sources")
struct RetentionTests {
  private let fixture: Fixture
  private var store: PostStore { fixture.store }
  private let now = Instant(seconds: 1_000 * 86_400)

  init() throws {
    fixture = try Fixture(follows: .ask)
    for name in ["a", "b"] {
      try commit(.addFeed(NewFeed(account: fixture.ann, url: "http://\(name).example", host: "host")))
    }
    try commit(
      .greetProgram(UpstreamGreeting(source: "feed", hello: UpstreamHello(readsFeeds: true), account: fixture.ann)))
  }

  @discardableResult
  private func commit(_ write: Write) throws -> Outcome {
    let outcome = try store.commit([write]).outcomes[0]
    if case .refused(let refusal) = outcome { throw refusal }
    return outcome
  }

  /// Brings posts of a feed, named after their age in days.
  private func bring(_ feed: String, daysOld ages: [Int], in source: String = "feed") throws {
    let items = ages.map { age -> UpstreamItem in
      let author = ImportedAuthor(nativeID: feed, handle: .empty, displayName: .empty)
      return .post(
        ImportedPost(
          source: source, nativeID: "\(feed)/\(age)", author: author,
          createdAt: now.adding(milliseconds: -86_400_000 * Int64(age)), body: PostBody(text: SafeText(line: "\(age)"))),
        in: .home, unfiled: [])
    }
    let batch = UpstreamBatch(number: "1", subject: .feed(feed), items: items, cursors: [:])
    try commit(.takeBatches(source: source, [batch]))
  }

  /// Removes all that is due, and returns the number of posts removed.
  @discardableResult
  private func prune() throws -> Int {
    var removed = 0
    for due in try store.duePrunings(at: now) {
      var next: Pruning? = due
      while let pruning = next {
        let outcome = try commit(.retain(.prune(pruning)))
        guard case .retained(let pruned) = outcome else { throw Unexpected(outcome) }
        (removed, next) = (removed + pruned.removed, pruned.next)
      }
    }
    #expect(try store.integrity().isEmpty)
    return removed
  }

  /// The ages of the posts of both feeds.
  private func home() throws -> [Int] { try store.home(fixture.ann).compactMap { Int($0.text) }.sorted() }

  private func id(daysOld age: Int) throws -> PostID {
    try #require(try store.home(fixture.ann).first { $0.text == "\(age)" }).id
  }

  @Test("without a rule nothing goes") func noRule() throws {
    try bring("f1", daysOld: [1, 999])
    #expect(try !store.hasRetention() && store.duePrunings(at: now).isEmpty)
    #expect(try prune() == 0 && home() == [1, 999])
  }

  @Test("a rule for feeds can be set before the first one is added") func early() throws {
    let fixture = try Fixture(follows: .ask)
    let outcome = try fixture.store.commit([.retain(.rule(.days(90), source: "feed"))]).outcomes[0]
    #expect(outcome == .retained(Pruned()))
    let feed = NewFeed(account: fixture.ann, url: "http://a.example", host: "host")
    _ = try fixture.store.commit([.addFeed(feed)])
    #expect(try fixture.store.feeds(followedBy: fixture.ann).count == 1)
    #expect(try fixture.store.keptSources().map(\.rule) == [.days(90)])
  }

  @Test("a number of days, of all feeds and of one") func days() throws {
    try bring("f1", daysOld: [1, 29, 30, 31, 89, 91])
    try bring("f2", daysOld: [2, 90, 92])
    try commit(.retain(.rule(.days(90), source: "feed")))
    try commit(.setFeed(FeedChange(feed: 1, account: fixture.ann, rule: .days(30))))
    #expect(try store.hasRetention())
    // What is exactly as old as the limit stays.
    #expect(try prune() == 4 && home() == [1, 2, 29, 30, 90])
    let feeds = try store.listedFeeds(fixture.ann)
    #expect(feeds.map(\.rule) == [.days(30), .days(90)] && feeds.map(\.hasOwnRule) == [true, false])
    #expect(feeds.map(\.removed) == [3, 1])
    try commit(.setFeed(FeedChange(feed: 1, account: fixture.ann, rule: .some(nil))))
    #expect(try store.listedFeeds(fixture.ann)[0].rule == .days(90))
    try commit(.setFeed(FeedChange(feed: 1, account: fixture.ann, rule: .everything)))
    try bring("f1", daysOld: [500])
    #expect(try prune() == 0 && home() == [1, 2, 29, 30, 90, 500])
  }

  @Test("a number of posts, in slices") func posts() throws {
    try bring("f1", daysOld: Array(0..<(2 * RetentionWriter.slicePosts + 50)))
    try bring("f2", daysOld: [900, 901])
    try commit(.setFeed(FeedChange(feed: 1, account: fixture.ann, rule: .posts(10))))
    #expect(try prune() == 2 * RetentionWriter.slicePosts + 40)
    #expect(try home() == Array(0..<10) + [900, 901])
    #expect(try prune() == 0)
  }

  @Test("what people have a part in stays") func parts() throws {
    let bob = fixture.bob
    try commit(.addFeed(NewFeed(account: bob, url: "http://a.example", host: "host")))
    try bring("f1", daysOld: Array(100..<108))
    func mark(_ mark: Mark, _ age: Int, _ account: AccountID) throws {
      try commit(.mark(Marking(account: account, post: try id(daysOld: age), mark: mark, isOn: true, at: now)))
    }
    try mark(.saved, 100, fixture.ann)
    try mark(.favourited, 101, bob)
    try mark(.reposted, 102, bob)
    try commit(.markRead(ReadMarking(account: bob, posts: [try id(daysOld: 103)], isRead: false)))
    try commit(.markRead(ReadMarking(account: bob, posts: [try id(daysOld: 104)], isRead: true)))
    try commit(
      .compose(
        Composition(
          account: fixture.ann, body: PostBody(text: "An answer."), inReplyTo: try id(daysOld: 105), createdAt: now)))
    try commit(.retain(.rule(.days(90), source: "feed")))
    // 104 was only read; nobody did anything to 106 and 107.
    #expect(try prune() == 3 && home() == [100, 101, 102, 103, 105])
    try commit(
      .mark(Marking(account: fixture.ann, post: try id(daysOld: 100), mark: .saved, isOn: false, at: now)))
    #expect(try prune() == 1 && home() == [101, 102, 103, 105])
  }

  @Test("a draft that answers a removed post is kept, and is posted as a reply to nothing") func drafts() throws {
    try bring("f1", daysOld: [100])
    let post = try id(daysOld: 100)
    let draft = SavedDraft(
      account: fixture.ann, draft: nil, subject: .answer(to: post), text: "An answer.", at: now, requestID: "")
    try commit(.saveDraft(draft))
    try commit(.retain(.rule(.days(90), source: "feed")))
    #expect(try prune() == 1)
    let kept = try #require(try store.drafts(of: fixture.ann).first)
    #expect(kept.text == "An answer." && kept.subject == .answer(to: post))
    var composition = Composition(
      account: fixture.ann, body: PostBody(text: kept.text), inReplyTo: post, createdAt: now)
    composition.draft = kept.id
    #expect(throws: Refusal.noSuchPost(post)) { try commit(.compose(composition)) }
    #expect(try store.drafts(of: fixture.ann).count == 1)
    composition.inReplyTo = nil
    try commit(.compose(composition))
    #expect(try store.drafts(of: fixture.ann).isEmpty && store.integrity().isEmpty)
  }

  @Test("what an import brought stays, though its source has a program and a rule") func imported() throws {
    let old = now.adding(milliseconds: -86_400_000 * 100)
    func post(_ id: String) -> ImportedPost {
      let author = ImportedAuthor(nativeID: "a", handle: "a", displayName: "A")
      return ImportedPost(
        source: "fake", nativeID: id, author: author, createdAt: old, body: PostBody(text: SafeText(line: id)))
    }
    let hello = UpstreamHello(commands: [.post])
    try commit(.greetProgram(UpstreamGreeting(source: "fake", hello: hello, account: fixture.ann)))
    let run = ImportRun(name: "archive", startedAt: now)
    try commit(.importBatch([post("1")], owner: fixture.ann, run: run))
    let login = try #require(try store.logins().first { $0.source == "fake" }).name
    let item = UpstreamItem.post(post("2"), in: .home, unfiled: [])
    let batch = UpstreamBatch(number: "1", subject: .login(login), items: [item], cursors: [:])
    try commit(.takeBatches(source: "fake", [batch]))
    #expect(try home() == [1, 2])
    try commit(.retain(.rule(.days(90), source: "fake")))
    #expect(try prune() == 1 && home() == [1])
    #expect(try store.keptSources().map(\.removed) == [1])
  }

  @Test("the size of the store, the oldest first") func size() throws {
    for day in 0..<60 { try bring("f1", daysOld: Array(day * 100..<day * 100 + 100)) }
    let before = try store.size()
    // Below the least limit that may be set, which a test does not want to fill.
    try store.database.execute("UPDATE meta SET size_limit = \(before.usedBytes * 3 / 4)")
    let removed = try prune()
    let left = try home()
    #expect(removed > 600 && removed < 4_000 && left == Array(0..<(6_000 - removed)))
    #expect(try store.size().usedBytes < before.usedBytes)
    // Each time less has to go, until it is enough.
    for _ in 0..<20 { try prune() }
    #expect(try prune() == 0 && home().count > 1_000)
  }

  @Test("posts are removed from a file that cannot grow, and new ones use their room") func full() throws {
    try bring("f1", daysOld: Array(0..<400))
    try commit(.setFeed(FeedChange(feed: 1, account: fixture.ann, rule: .days(30))))
    let pages = try store.database.integer("PRAGMA page_count")
    try store.database.execute("PRAGMA max_page_count = \(pages)")
    #expect(try prune() == 369 && home() == Array(0...30))
    try bring("f2", daysOld: Array(0..<200))
    #expect(try home().count == 231 && store.database.integer("PRAGMA page_count") == pages)
  }

  @Test("only what programs bring has rules, within their ranges") func refusals() throws {
    #expect(throws: Refusal.keptAlways) { try commit(.retain(.rule(.days(1), source: "stack"))) }
    #expect(throws: Refusal.unknownSource("x")) { try commit(.retain(.rule(.days(1), source: "x"))) }
    for rule in [KeepRule.days(0), .posts(0), .days(36_526), .posts(10_000_001)] {
      #expect(throws: Refusal.unusableRule) { try commit(.retain(.rule(rule, source: "feed"))) }
    }
    for bytes in [1, 16 << 20 - 1, -1] {
      #expect(throws: Refusal.unusableSize) { try commit(.retain(.size(bytes))) }
    }
    try commit(.retain(.size(1 << 30)))
    #expect(try store.size().limit == 1 << 30 && store.hasRetention())
    try commit(.retain(.size(0)))
    #expect(throws: Refusal.notOwnFeed(1)) {
      try commit(.addFeed(NewFeed(account: fixture.bob, url: "http://a.example", host: "host")))
      try commit(.setFeed(FeedChange(feed: 1, account: fixture.bob, rule: .days(1))))
    }
  }
}
