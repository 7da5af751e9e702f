import Dates
import Posts
import Search
import TestSupport
import Testing

@testable import Store

@Suite("What an account saved and favourited can be found again, by that account alone")
struct KeptPostTests {
  @Test("is:saved and is:favourited follow the marks, with words and exclusions") func marks() throws {
    let fixture = try Fixture()
    let (ann, bob) = (fixture.ann, fixture.bob)
    let cat = try fixture.write("a cat", at: 1).id
    let dog = try fixture.write("a dog", as: bob, at: 2).id
    func mark(_ post: PostID, _ mark: Mark, _ isOn: Bool = true, by account: AccountID) throws {
      _ = try fixture.store.commit([
        .mark(Marking(account: account, post: post, mark: mark, isOn: isOn, at: Instant(seconds: 9)))
      ])
    }
    try mark(cat, .saved, by: ann)
    try mark(dog, .saved, by: ann)
    try mark(dog, .favourited, by: bob)
    #expect(try SearchTests.hits(fixture, "is:saved") == ["a dog", "a cat"])
    #expect(try SearchTests.hits(fixture, "is:saved cat") == ["a cat"])
    #expect(try SearchTests.hits(fixture, "a -is:saved") == [])
    #expect(try SearchTests.hits(fixture, "is:saved", as: bob) == [], "others do not find what ann saved")
    #expect(try SearchTests.hits(fixture, "is:favourited") == [])
    #expect(try SearchTests.hits(fixture, "IS:Favourited", as: bob) == ["a dog"])
    try mark(dog, .saved, false, by: ann)
    #expect(try SearchTests.hits(fixture, "is:saved") == ["a cat"])
    _ = try fixture.store.commit([.edit(Edition(account: ann, post: cat, text: "a tiger", spans: []))])
    #expect(try SearchTests.hits(fixture, "is:saved tiger") == ["a tiger"])
    _ = try fixture.store.commit([.deletePost(ann, cat, requestID: "")])
    #expect(try SearchTests.hits(fixture, "is:saved") == [])
    _ = try fixture.store.commit([.undo(Undo(account: ann, isRedo: false, at: Instant(seconds: 10)))])
    #expect(try SearchTests.hits(fixture, "is:saved") == ["a tiger"], "a restored post is saved as before")
    #expect(try fixture.store.integrity() == [])
  }

  @Test("marks that an import brings count for the importer, until they are taken back") func imported() throws {
    let fixture = try Fixture()
    var post = tweet("1", "news", at: 1)
    post.body.flags = [.favourited, .saved]
    try fixture.load([post])
    #expect(try SearchTests.hits(fixture, "is:favourited is:saved") == ["news"])
    #expect(try SearchTests.hits(fixture, "is:favourited", as: fixture.bob) == [])
    let id = try #require(try fixture.visible().first?.id)
    _ = try fixture.store.commit([
      .mark(Marking(account: fixture.ann, post: id, mark: .favourited, isOn: false, at: Instant(seconds: 2)))
    ])
    #expect(try SearchTests.hits(fixture, "is:favourited") == [])
    #expect(try SearchTests.hits(fixture, "is:saved") == ["news"])
    post.body.text = "newer news"
    try fixture.load([post])
    #expect(try SearchTests.hits(fixture, "is:favourited") == [] && SearchTests.hits(fixture, "is:saved").count == 1)
    #expect(try fixture.store.integrity() == [])
  }

  @Test("what an import brought with other marks beside it can be taken back") func manyFlags() throws {
    let fixture = try Fixture()
    var post = tweet("1", "news", at: 1)
    post.body.flags = [.favourited, .reposted, .read]
    try fixture.load([post])
    let id = try #require(try fixture.visible().first?.id)
    _ = try fixture.store.commit([
      .mark(Marking(account: fixture.ann, post: id, mark: .favourited, isOn: false, at: Instant(seconds: 2)))
    ])
    #expect(try SearchTests.hits(fixture, "is:favourited") == [] && fixture.store.integrity() == [])
    _ = try fixture.store.commit([.forget(Forgetting(.source("twitter"), of: fixture.ann))])
    #expect(try fixture.visible().isEmpty && fixture.store.integrity() == [])
  }

  @Test("a post that came inside a repost, and a private one, are found like others") func unusual() throws {
    let fixture = try Fixture()
    try fixture.load([
      tweet("2", at: 20, of: tweet("1", "inner", at: 10, by: "2")), tweet("3", "secret", at: 5, .direct),
    ])
    for post in try fixture.visible() {
      _ = try fixture.store.commit([
        .mark(Marking(account: fixture.ann, post: post.id, mark: .saved, isOn: true, at: Instant(seconds: 30)))
      ])
    }
    #expect(try SearchTests.hits(fixture, "is:saved") == ["inner", "secret"])
    #expect(try SearchTests.hits(fixture, "is:saved", as: fixture.bob) == [])
    #expect(try fixture.store.integrity() == [])
  }

  @Test("store and memory agree after random marks", arguments: seeds(0..<4 as Range<UInt64>)) func law(seed: UInt64)
    throws
  {
    var random = SeededGenerator(seed: seed)
    let fixture = try Fixture()
    let accounts = [fixture.ann, fixture.bob]
    for _ in 0..<60 {
      _ = try fixture.write("post", as: accounts.randomElement(using: &random)!, at: .random(in: 0..<9, using: &random))
    }
    for _ in 0..<150 {
      let marking = Marking(
        account: accounts.randomElement(using: &random)!, post: PostID(.random(in: 1...60, using: &random)),
        mark: [.saved, .favourited, .reposted].randomElement(using: &random)!, isOn: .random(using: &random),
        at: Instant(seconds: 20))
      _ = try fixture.store.commit([.mark(marking)])
    }
    var found = 0
    for account in accounts {
      for words in ["is:saved", "is:favourited", "-is:saved post", "is:saved is:favourited"] {
        let query = try SearchQuery(parsing: words)
        var index = SearchIndex()
        let id = index.open(query.bound(to: account))
        let meant = try SearchLawTests.posts(fixture, account).filter { index.matches($0.post, by: $0.names) == [id] }
        #expect(try SearchLawTests.found(fixture, query, account, limit: 7) == meant.map(\.post))
        found += meant.count
      }
    }
    #expect(found > 0)
    #expect(try fixture.store.integrity() == [])
  }

  @Test("a store of version 17 is indexed again when it is opened") func migration() throws {
    let fixture = try Fixture()
    let path = fixture.folder.file("posts.db")
    var post = tweet("1", "news", at: 1)
    post.body.flags = [.saved]
    try fixture.load([post, tweet("2", "other", at: 2)])
    // As version 17 had it: without the words of marks.
    let connection = fixture.store.database
    var text = SearchText()
    let indexed = try connection.prepare(
      "SELECT p.created_at, p.author_id, p.audience, p.body, p.owner_id, p.marks, k.key FROM search_posts k JOIN posts p ON p.id = k.post_id"
    )
    while try indexed.step() {
      let searched = SearchedPost(row: indexed)
      try connection.run(IndexQuery.delete, indexed.integer(6), TextBytes(bytes: searched.document(&text)))
      try connection.run(IndexQuery.insert, indexed.integer(6), TextBytes(bytes: searched.documentWithoutMarks(&text)))
    }
    try connection.execute(
      """
      ALTER TABLE posts DROP COLUMN server_id; ALTER TABLE deleted_posts DROP COLUMN server_id;
      ALTER TABLE deleted_posts DROP COLUMN mentioned; ALTER TABLE gaps DROP COLUMN lost;
      ALTER TABLE gaps DROP COLUMN login; DROP TABLE servers;
      ALTER TABLE meta DROP COLUMN size_limit; DROP TABLE retention; DROP TABLE feed_links; DROP TABLE feed_attributes; DROP TABLE feeds; DROP TABLE cursors; DROP TABLE logins; DROP TABLE programs; DROP TABLE import_ranges; DROP TABLE imports;
      ALTER TABLE accounts DROP COLUMN display_name; ALTER TABLE accounts DROP COLUMN about;
      ALTER TABLE outbox DROP COLUMN login; DROP TABLE ended_logins; ALTER TABLE outbox DROP COLUMN former_body; ALTER TABLE outbox DROP COLUMN wanted_body; ALTER TABLE outbox DROP COLUMN sent_body;
      ALTER TABLE drafts DROP COLUMN warning; ALTER TABLE drafts DROP COLUMN language; PRAGMA user_version = 17;
      """)
    try fixture.store.close()
    fixture.store = try PostStore(path: path, epoch: 8)
    #expect(try SearchTests.hits(fixture, "is:saved") == ["news"])
    #expect(try fixture.store.integrity() == [])
  }
}
