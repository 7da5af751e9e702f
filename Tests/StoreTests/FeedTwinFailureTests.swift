import Dates
import Posts
import TestSupport
import Testing
import ViewState

@testable import Store

@Suite("A feed is set to be shown twice, or once, wholly or not at all")
struct FeedTwinFailureTests {
  private static let count = 300

  private let fixture: Fixture

  /// Two feeds of a site with the same links, of which the second is shown in any case.
  init() throws {
    fixture = try Fixture(follows: .ask)
    for name in ["news", "sports"] {
      try commit(.addFeed(NewFeed(account: fixture.ann, url: "http://l.example/\(name)", host: "l.example")))
    }
    try commit(
      .greetProgram(UpstreamGreeting(source: "feed", hello: UpstreamHello(readsFeeds: true), account: fixture.ann)))
    try set(true)
    for feed in 1...2 {
      let author = ImportedAuthor(nativeID: "f\(feed)", handle: .empty, displayName: .empty)
      let items = (0..<Self.count).map { number in
        var body = PostBody(text: SafeText(line: "f\(feed)/\(number)"))
        body.permalink = SafeText(line: "http://l.example/\(number)")
        return UpstreamItem.post(
          ImportedPost(
            source: StoredFeed.source, nativeID: "f\(feed)/\(number)", author: author,
            createdAt: Instant(seconds: Int64(number)), body: body), in: .home, unfiled: [])
      }
      let batch = UpstreamBatch(number: "\(feed)", subject: .feed("f\(feed)"), items: items, cursors: [:])
      try commit(.takeBatches(source: StoredFeed.source, [batch]))
    }
  }

  private func commit(_ write: Write) throws {
    let outcome = try fixture.store.commit([write]).outcomes[0]
    if case .refused(let refusal) = outcome { throw refusal }
  }

  private func set(_ twice: Bool) throws {
    try commit(.setFeed(FeedChange(feed: 2, account: fixture.ann, showsTwice: twice)))
  }

  /// All that the setting decides.
  private func state(of store: PostStore) throws -> [String] {
    let links = try store.database.integer("SELECT count(*) FROM feed_links")
    let feed = try FeedReader(store.database).feed(2)
    let home = try store.home(fixture.ann).map(\.text).sorted()
    return ["\(links) links", "\(feed?.showsTwice == true)"] + home
  }

  @Test("a disk that is full while links are recorded leaves all as it was") func full() throws {
    let before = try state(of: fixture.store)
    let pages = try fixture.store.database.integer("PRAGMA page_count")
    try fixture.store.database.execute("PRAGMA max_page_count = \(pages)")
    let error = #expect(throws: StoreError.self) { try set(false) }
    #expect(error?.kind == .diskFull)
    #expect(try state(of: fixture.store) == before && fixture.store.integrity().isEmpty)
    try fixture.store.database.execute("PRAGMA max_page_count = 1000000")
    try set(false)
    #expect(try state(of: fixture.store).prefix(2) == ["\(2 * Self.count) links", "false"])
    #expect(try fixture.store.home(fixture.ann).count == Self.count && fixture.store.integrity().isEmpty)
  }

  @Test("after a kill in the middle of the change all is as it was", arguments: [1, 4, 8, 11])
  func killed(twelfths: Int) throws {
    for twice in [false, true] {
      let before = try state(of: fixture.store)
      let length = fixture.folder.read("posts.db-wal").count
      let file = fixture.folder.read("posts.db")
      try set(twice)
      #expect(try state(of: fixture.store) != before)
      let log = fixture.folder.read("posts.db-wal")
      try #require(log.count > length)
      fixture.folder.write(file, to: "\(twice).db")
      fixture.folder.write(Array(log.prefix(length + (log.count - length) * twelfths / 12)), to: "\(twice).db-wal")
      let copy = try PostStore(path: fixture.folder.file("\(twice).db"), epoch: 8)
      #expect(try state(of: copy) == before && copy.integrity().isEmpty)
    }
  }
}
