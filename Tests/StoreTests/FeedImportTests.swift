import Dates
import Posts
import Testing
import ViewState

@testable import Store

@Suite("Posts of source feed come from the program that reads feeds alone") struct FeedImportTests {
  private let fixture: Fixture
  private var store: PostStore { fixture.store }

  init() throws { fixture = try Fixture(follows: .ask) }

  private static func post(_ feed: String, _ id: String, _ text: SafeText, at seconds: Int64 = 5) -> ImportedPost {
    let author = ImportedAuthor(nativeID: feed, handle: "a.example", displayName: "Another name")
    return ImportedPost(
      source: "feed", nativeID: "\(feed)/\(id)", author: author, createdAt: Instant(seconds: seconds),
      body: PostBody(text: text))
  }

  private func add(_ url: String, isPrivate: Bool = false) throws -> StoredFeed {
    let new = NewFeed(account: fixture.ann, url: url, host: "a.example", isPrivate: isPrivate)
    let outcome = try store.commit([.addFeed(new)]).outcomes[0]
    guard case .feedStored(let listed) = outcome else { throw Unexpected(outcome) }
    return listed.feed
  }

  private func bring(_ feed: String, _ post: ImportedPost) throws {
    var post = post
    post.author = ImportedAuthor(nativeID: feed, handle: .empty, displayName: .empty)
    let batch = UpstreamBatch(
      number: "1", subject: .feed(feed), items: [.post(post, in: .home, unfiled: [])], cursors: [:])
    _ = try store.commit([.takeBatches(source: StoredFeed.source, [batch])])
  }

  private func titles() throws -> [String] {
    try store.listedFeeds(fixture.ann).map(\.author.displayName.string)
  }

  @Test("another store's export is imported as an archive, and the feeds of this store are others") func exported()
    throws
  {
    #expect(try fixture.load([Self.post("f1", "g1", "Alpha.")]).new == 1)
    #expect(try add("http://c.example").number == 1)
    try bring("f1", Self.post("f1", "g1", "Gamma.", at: 9))
    #expect(try store.home(fixture.ann).map(\.text) == ["Gamma.", "Alpha."])
    #expect(try store.resolve(reference: "feed-archive:f1/g1", visibleTo: fixture.ann) != nil)
    #expect(try fixture.load([Self.post("f1", "g1", "Alpha.")]).same == 1, "once more changes nothing")
    #expect(try titles() == ["a.example"] && store.integrity().isEmpty)
  }

  @Test("nobody writes in a feed or renames it by importing a file, whether it is there, private or still to come")
  func forged() throws {
    _ = try add("http://a.example")
    _ = try add("http://b.example", isPrivate: true)
    try bring("f1", Self.post("f1", "g1", "One."))
    let forged = (1...3).map { Self.post("f\($0)", "evil", "Forged.") } + [Self.post("f1", "g1", "Forged.", at: 6)]
    #expect(try fixture.load(forged, as: fixture.bob).new == 4)
    #expect(try store.home(fixture.ann).map(\.text) == ["One."])
    #expect(try add("http://c.example").number == 3)
    try bring("f3", Self.post("f3", "evil", "Three.", at: 7))
    #expect(try store.home(fixture.ann).map(\.text) == ["Three.", "One."])
    #expect(try titles() == ["a.example", "a.example", "a.example"])
    #expect(try store.integrity().isEmpty)
  }

  @Test("a repost in a file forges no post of a feed") func reposted() throws {
    _ = try add("http://a.example")
    var repost = ImportedPost(
      source: "jsonl", nativeID: "r1", author: ImportedAuthor(nativeID: "bob", handle: "bob", displayName: "bob"),
      createdAt: Instant(seconds: 6), body: PostBody(text: ""), original: Self.post("f1", "evil", "Forged."))
    #expect(try fixture.load([repost], as: fixture.bob).new == 1)
    #expect(try store.home(fixture.ann).isEmpty && titles() == ["a.example"])
    try bring("f1", Self.post("f1", "g1", "One."))
    repost.nativeID = "r2"
    repost.original = [Self.post("f1", "g1", "One.")]
    #expect(try fixture.load([repost], as: fixture.bob).new == 1)
    #expect(try store.resolve(reference: "feed-archive:f1/g1", visibleTo: fixture.bob) == nil)
    #expect(try store.integrity().isEmpty)
  }

  @Test("importing one's own export changes nothing") func own() throws {
    _ = try add("http://a.example")
    _ = try add("http://b.example", isPrivate: true)
    try bring("f1", Self.post("f1", "g1", "One."))
    try bring("f2", Self.post("f2", "g1", "Mine."))
    let page = try store.exportPage(limit: 10, visibleTo: fixture.ann)
    let report = try fixture.load(page.posts)
    #expect(report.same == 2 && report.new == 0 && report.refused.isEmpty)
    #expect(try store.home(fixture.ann).count == 2 && store.integrity().isEmpty)
  }

  @Test("a reply to a feed's post finds it in the archive, whichever is imported first", arguments: [false, true])
  func replies(repliesFirst: Bool) throws {
    let me = ImportedAuthor(nativeID: "cid", handle: "cid", displayName: "cid")
    let reply = ImportedPost(
      source: "stack", nativeID: "9-1", author: me, createdAt: Instant(seconds: 8), body: PostBody(text: "Indeed."),
      inReplyTo: "feed:f1/g1")
    let posts = [Self.post("f1", "g1", "Alpha."), reply]
    try fixture.load(repliesFirst ? posts.reversed() : posts)
    let parent = try #require(try store.resolve(reference: "feed-archive:f1/g1", visibleTo: fixture.ann))
    #expect(try store.home(fixture.ann).first { $0.text == "Indeed." }?.inReplyTo == parent)
  }

  @Test("a number that an import once gave to an author is given to no feed") func skipped() throws {
    try store.database.execute("INSERT INTO sources (name) VALUES ('feed')")
    try store.database.execute(
      """
      INSERT INTO authors (source_id, native_id, handle, display_name, avatar_url)
      SELECT id, 'f1', 'old', 'Old', '' FROM sources WHERE name = 'feed'
      """)
    #expect(try add("http://a.example").number == 2)
    #expect(try add("http://b.example").number == 3)
  }
}
