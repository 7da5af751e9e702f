import Dates
import Posts
import TestSupport
import Testing
import ViewState

@testable import Store

@Suite("The same link from two feeds")
struct FeedTwinTests {
  private static let day: Int64 = 86_400
  private static let start: Int64 = 20_000 * day

  /// Two feeds of one site, and one of another.
  private static let urls = ["http://www.l/news", "http://l/sports", "http://other.example/feed"]

  private let fixture: Fixture
  private var store: PostStore { fixture.store }

  init() throws {
    fixture = try Fixture(follows: .ask)
    for url in Self.urls { try commit(.addFeed(NewFeed(account: fixture.ann, url: url, host: "host"))) }
    try commit(
      .greetProgram(UpstreamGreeting(source: "feed", hello: UpstreamHello(readsFeeds: true), account: fixture.ann)))
  }

  @discardableResult
  private func commit(_ write: Write) throws -> Outcome {
    let outcome = try store.commit([write]).outcomes[0]
    if case .refused(let refusal) = outcome { throw refusal }
    return outcome
  }

  private func bring(_ feed: Int64, _ items: [UpstreamItem]) throws {
    let batch = UpstreamBatch(number: "1", subject: .feed("f\(feed)"), items: items, cursors: [:])
    try commit(.takeBatches(source: StoredFeed.source, [batch]))
  }

  /// A post called by its feed and ID.
  private func post(_ feed: Int64, _ id: String, day: Int64, link: String, text: String? = nil) -> UpstreamItem {
    let author = ImportedAuthor(nativeID: "f\(feed)", handle: .empty, displayName: .empty)
    var body = PostBody(text: SafeText(line: text ?? "f\(feed)/\(id)"))
    body.permalink = SafeText(line: link)
    return .post(
      ImportedPost(
        source: StoredFeed.source, nativeID: "f\(feed)/\(id)", author: author,
        createdAt: Instant(seconds: Self.start + day * Self.day), body: body), in: .home, unfiled: [])
  }

  private func author(_ feed: Int64) throws -> AuthorID {
    try #require(try FeedReader(store.database).feed(feed)).author
  }

  private func home() throws -> [String] { try store.home(fixture.ann).map(\.text).sorted() }

  private func profile(_ feed: Int64) throws -> [String] {
    try store.page(by: author(feed), for: fixture.ann, limit: 100)?.posts.map(\.text) ?? []
  }

  @Test("stands once in a timeline, and in both profiles") func once() throws {
    try bring(1, [post(1, "x", day: 0, link: "http://l/1")])
    try bring(2, [post(2, "x", day: 7, link: "http://l/1"), post(2, "y", day: 0, link: "http://l/2")])
    try bring(3, [post(3, "x", day: 8, link: "http://l/1"), post(3, "y", day: 0, link: "")])
    #expect(try home() == ["f1/x", "f2/y", "f3/x", "f3/y"], "eight days later it is news again")
    #expect(try profile(1) == ["f1/x"] && profile(2) == ["f2/x", "f2/y"])
    #expect(try store.integrity().isEmpty)
  }

  @Test("the other one takes its place when it goes, when its link changes or when its feed is left") func successor()
    throws
  {
    try bring(1, [post(1, "x", day: 0, link: "http://l/1")])
    try bring(2, [post(2, "x", day: 1, link: "http://l/1")])
    try bring(1, [.gone("f1/x")])
    #expect(try home() == ["f2/x"])
    try bring(1, [post(1, "y", day: 0, link: "http://l/1")])
    #expect(try home() == ["f2/x"])
    try bring(2, [post(2, "x", day: 1, link: "http://l/2")])
    #expect(try home() == ["f1/y", "f2/x"])
    try bring(2, [post(2, "x", day: 1, link: "http://l/1")])
    #expect(try home() == ["f1/y"])
    try commit(.removeFeed(fixture.ann, 1))
    #expect(try home() == ["f2/x"])
    try commit(.addFeed(NewFeed(account: fixture.ann, url: Self.urls[0], host: "host")))
    #expect(try home() == ["f2/x"] && store.integrity().isEmpty)
  }

  @Test("a feed of another site hides nothing by publishing a link first, and its own post stays") func stranger()
    throws
  {
    try bring(3, [post(3, "x", day: 0, link: "http://l/1")])
    try bring(1, [post(1, "x", day: 0, link: "http://l/1")])
    #expect(try home() == ["f1/x", "f3/x"])
    let edited = post(3, "x", day: 0, link: "http://l/1", text: "edited")
    try bring(3, [edited, post(3, "y", day: 0, link: "http://l/1")])
    try bring(2, [post(2, "x", day: 0, link: "http://l/1")])
    #expect(try home() == ["edited", "f1/x"], "what comes later is hidden by the site's own post")
    try bring(1, [post(1, "x", day: 0, link: "http://l/1", text: "own")])
    #expect(try home() == ["edited", "own"])
    try bring(1, [.gone("f1/x")])
    #expect(try home() == ["edited", "f2/x"])
    try commit(.removeFeed(fixture.ann, 3))
    try commit(.addFeed(NewFeed(account: fixture.ann, url: Self.urls[2], host: "host")))
    #expect(try home() == ["f2/x"] && store.integrity().isEmpty)
  }

  @Test("a link to another site hides posts with the same ID in feeds of one host") func sameID() throws {
    try bring(1, [post(1, "x", day: 0, link: "http://away.example/1")])
    try bring(2, [post(2, "x", day: 0, link: "http://away.example/1")])
    try bring(2, [post(2, "y", day: 0, link: "http://away.example/1")])
    try bring(3, [post(3, "x", day: 0, link: "http://away.example/1")])
    #expect(try home() == ["f1/x", "f2/y", "f3/x"] && store.integrity().isEmpty)
  }

  @Test(
    "the host of a link is its feed's",
    arguments: [
      ("http://l.example/1", "https://L.example/feed", true), ("http://www.l.example/1", "https://l.example/", true),
      ("http://l.example:8080/1", "http://l.example/", false),
      ("http://l.example@evil.example/1", "http://l.example/", false),
      ("http://sub.l.example/1", "http://l.example/", false), ("mailto:a@b.example", "file:///feed.xml", false),
    ])
  func host(link: String, feed: String, isOwn: Bool) {
    var body = PostBody(text: "text")
    body.permalink = SafeText(line: link)
    #expect(FeedLink(of: PackedBody(body), called: "f1/x", in: feed)?.isOwn == isOwn)
  }

  @Test("a feed can be shown in any case") func twice() throws {
    try bring(1, [post(1, "x", day: 0, link: "http://l/1")])
    try bring(2, [post(2, "x", day: 1, link: "http://l/1")])
    try commit(.setFeed(FeedChange(feed: 2, account: fixture.ann, showsTwice: true)))
    try bring(2, [post(2, "y", day: 1, link: "http://l/1")])
    #expect(try home() == ["f1/x", "f2/x", "f2/y"] && store.listedFeeds()[1].feed.showsTwice)
    try commit(.setFeed(FeedChange(feed: 2, account: fixture.ann, showsTwice: false)))
    #expect(try home() == ["f1/x"] && store.integrity().isEmpty)
  }

  /// A post as the law knows it.
  private struct Known {
    var day: Int64
    var link: String
  }

  @Test(
    "after any changes no list has twins that hide each other, and each post is there or one that hides it is",
    arguments: seeds(0..<24 as Range<UInt64>))
  func law(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let outcome = try commit(.makeList(fixture.ann, name: "Some"))
    guard case .listMade(let list) = outcome else { throw Unexpected(outcome) }
    let authors = try (1...3).map { try author($0) }
    var posts: [String: Known] = [:]
    var twice: Set<Int64> = []
    for _ in 0..<60 {
      let feed = Int64.random(in: 1...3, using: &random)
      let id = String(Int.random(in: 0..<6, using: &random))
      switch Int.random(in: 0..<10, using: &random) {
      case 0:
        try bring(feed, [.gone("f\(feed)/\(id)")])
        posts["f\(feed)/\(id)"] = nil
      case 1: _ = try store.commit([.removeFeed(fixture.ann, feed)])
      case 2:
        try commit(.addFeed(NewFeed(account: fixture.ann, url: Self.urls[Int(feed) - 1], host: "host")))
      case 3: _ = try store.commit([.addToList(fixture.ann, list, authors[Int(feed) - 1])])
      case 4: _ = try store.commit([.removeFromList(fixture.ann, list, authors[Int(feed) - 1])])
      case 5:
        if twice.remove(feed) == nil { twice.insert(feed) }
        try commit(.setFeed(FeedChange(feed: feed, account: nil, showsTwice: twice.contains(feed))))
      default:
        let known = Known(
          day: .random(in: 0..<12, using: &random),
          link: ["", "http://l/1", "http://other.example/2"].randomElement(using: &random)!)
        try bring(feed, [post(feed, id, day: known.day, link: known.link)])
        posts["f\(feed)/\(id)"] = known
      }
      try check(.home(fixture.ann), of: try store.feeds(followedBy: fixture.ann).map(\.number), posts, twice)
      let members = try store.authors(in: list, of: fixture.ann)?.map(\.id) ?? []
      try check(.made(fixture.ann, list), of: (1...3).filter { members.contains(authors[Int($0) - 1]) }, posts, twice)
    }
    for feed in 1...3 as ClosedRange<Int64> {
      #expect(try Set(profile(feed)) == Set(posts.keys.filter { $0.hasPrefix("f\(feed)/") }))
    }
    #expect(try store.integrity().isEmpty)
  }

  private func check(_ list: ListName, of feeds: [Int64], _ posts: [String: Known], _ twice: Set<Int64>) throws {
    let shown = try store.page(of: list, for: fixture.ann, limit: 100)?.posts.map(\.text) ?? []
    func feed(_ name: String) -> Int64 { Int64(name.dropFirst().prefix(1)) ?? 0 }
    func isOwn(_ name: String, _ post: Known) -> Bool { post.link.hasPrefix("http://l/") == (feed(name) < 3) }
    func hides(_ one: String, _ other: String) -> Bool {
      guard let first = posts[one], let second = posts[other], feed(one) != feed(other), !first.link.isEmpty,
        !twice.contains(feed(one)), !twice.contains(feed(other))
      else { return false }
      let isSame = feed(one) < 3 && feed(other) < 3 && one.dropFirst(2) == other.dropFirst(2)
      return first.link == second.link && abs(first.day - second.day) <= 7 && (isSame || isOwn(one, first))
    }
    let wanted = posts.keys.filter { feeds.contains(feed($0)) }
    #expect(Set(shown).count == shown.count && Set(shown).isSubset(of: wanted))
    for name in wanted {
      let isExpected =
        shown.contains(name)
        ? !shown.contains { hides(name, $0) && hides($0, name) } : shown.contains { hides($0, name) }
      #expect(isExpected, "\(name) in \(shown)")
    }
  }
}
