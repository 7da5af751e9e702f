import Posts
import Search
import Testing

@testable import Store

@Suite("Authors of other sources that bear an account's name")
struct NamesakeTests {
  private static func tweet(_ id: String, _ text: String, handle: String, by author: String) -> ImportedPost {
    var post = StoreTests.tweet(id, text, by: author)
    post.author.handle = SafeText(line: handle)
    return post
  }

  private static func author(_ fixture: Fixture, _ nativeID: String) throws -> Author {
    let id = try #require(try fixture.store.resolve(author: "twitter:\(nativeID)", for: fixture.ann))
    return try #require(try fixture.store.authors([id]).first)
  }

  @Test(
    "a handle that reads like an account's name is marked",
    arguments: [
      ("ann", true), ("ANN", true), (" ann", true), ("a\u{200B}nn", true), ("a\u{AD}nn", true), ("anne", false),
      ("h1", false),
      ("ann@example.org", false), ("", false),
    ])
  func marked(handle: String, isNamesake: Bool) throws {
    let fixture = try Fixture()
    try fixture.load([Self.tweet("1", "I resign", handle: handle, by: "7")], as: fixture.bob)
    let author = try Self.author(fixture, "7")
    #expect(author.isNamesake == isNamesake && author.source == "twitter" && author.claimant.isEmpty)
    let page = try fixture.store.page(of: .home(fixture.bob), for: fixture.bob, before: nil, limit: 10)
    #expect(page?.authors == [author])
  }

  @Test("an author that the account itself has claimed is no namesake; one that another has claimed is")
  func claimed() throws {
    let fixture = try Fixture()
    try fixture.load([
      Self.tweet("1", "mine", handle: "Ann", by: "7"), Self.tweet("2", "not mine", handle: "ann", by: "8"),
    ])
    _ = try fixture.store.commit([.claimIdentity(fixture.ann, source: "twitter", authorNativeID: "7")])
    try fixture.load([Self.tweet("2", "not mine", handle: "ann", by: "8")], as: fixture.bob)
    _ = try fixture.store.commit([.claimIdentity(fixture.bob, source: "twitter", authorNativeID: "8")])
    let (mine, other) = (try Self.author(fixture, "7"), try Self.author(fixture, "8"))
    #expect(!mine.isNamesake && mine.claimant == "ann" && mine.searchNames == ["Ann", "ann"])
    #expect(other.isNamesake && other.claimant == "bob" && other.searchNames == ["bob"])
    let own = try #require(try fixture.store.localAuthor(of: fixture.ann))
    #expect(!own.isNamesake && own.source.isEmpty && own.searchNames == ["ann"])
  }

  @Test("an author becomes a namesake when an account of its name is made") func newAccount() throws {
    let fixture = try Fixture()
    try fixture.load([Self.tweet("1", "x", handle: "Eve", by: "7")])
    #expect(try !Self.author(fixture, "7").isNamesake)
    _ = try fixture.store.commit([.makeAccount(name: "eve")])
    #expect(try Self.author(fixture, "7").isNamesake)
    #expect(try fixture.store.authors(called: "eve").map(\.isNamesake).sorted { !$0 && $1 } == [false, true])
  }

  @Test("from: an account's name means the posts of that account, under whichever name it writes") func search() throws
  {
    let fixture = try Fixture()
    _ = try fixture.write("sea, from here", at: 1)
    try fixture.load([Self.tweet("1", "sea, of old", handle: "annie", by: "7")])
    try fixture.load(
      [
        Self.tweet("2", "I resign to the sea", handle: "Ann", by: "8"),
        Self.tweet("3", "sea of zeros", handle: "a\u{200B}nn", by: "9"),
      ], as: fixture.bob)
    _ = try fixture.store.commit([.claimIdentity(fixture.ann, source: "twitter", authorNativeID: "7")])
    let mine = ["sea, from here", "sea, of old"]
    #expect(try SearchTests.hits(fixture, "sea from:ann", as: fixture.bob) == mine)
    #expect(try SearchTests.hits(fixture, "from:ANN", as: fixture.bob) == mine)
    #expect(try Set(SearchTests.hits(fixture, "sea -from:ann")) == ["I resign to the sea", "sea of zeros"])
    #expect(try SearchTests.hits(fixture, "from:annie") == ["sea, of old"])
    #expect(try SearchTests.hits(fixture, "from:a\u{200B}nn") == [])
  }

  @Test("an import of one's own posts does not change one's handle") func ownHandle() throws {
    let fixture = try Fixture()
    let post = try fixture.write("hello")
    var exported = ImportedPost(
      source: "stack", nativeID: try #require(try Self.nativeID(of: post.id, fixture)),
      author: ImportedAuthor(nativeID: "ann", handle: "bob", displayName: "Bob"), createdAt: post.createdAt,
      body: PostBody(text: "hello"))
    let report = try fixture.load([exported])
    #expect(report.refused.isEmpty)
    exported.author.handle = ""
    try fixture.load([exported])
    let own = try #require(try fixture.store.localAuthor(of: fixture.ann))
    #expect(own.handle == "ann" && own.displayName == "Bob")
  }

  private static func nativeID(of post: PostID, _ fixture: Fixture) throws -> String? {
    let statement = try fixture.store.database.prepare("SELECT native_id FROM posts WHERE id = \(post.rawValue)")
    return try statement.step() ? statement.text(0) : nil
  }
}
