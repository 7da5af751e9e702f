import Dates
import Posts
import Testing

@testable import Store

@Suite("Importing a post with a known source and native ID updates it")
struct UpsertTests {
  @Test("a second import of the same posts stores nothing, not even a revision") func idempotent() throws {
    let fixture = try Fixture()
    let posts = [
      tweet("1", "one", at: 10, native: "{}"), tweet("2", "two", at: 20, answers: "1", aliases: ["host#2"]),
      tweet("3", at: 30, of: tweet("9", "nine", at: 5, by: "2")),
    ]
    let first = try fixture.load(posts)
    #expect((first.new, first.changed, first.same) == (3, 0, 0))
    let revision = fixture.store.revision
    let second = try fixture.load(posts)
    #expect((second.new, second.changed, second.same) == (0, 0, 3))
    #expect(second.entries.isEmpty && second.originals.isEmpty && second.authors.isEmpty)
    #expect(fixture.store.revision == revision)
    #expect(try fixture.texts() == ["nine", "two", "one"])
  }

  /// Variations of `tweet("1", "one", at: 10, by: "1")`.
  static let changes: [(String, ImportedPost)] = [
    ("text", tweet("1", "two", at: 10)), ("instant", tweet("1", "one", at: 11)),
    ("author", tweet("1", "one", at: 10, by: "2")),
    ("reply", tweet("1", "one", at: 10, answers: "7")), ("visibility", tweet("1", "one", at: 10, .followers)),
    ("repost", tweet("1", "one", at: 10, of: tweet("5", "five"))), ("alias", tweet("1", "one", at: 10, aliases: ["a"])),
  ]

  @Test("each difference counts as one change", arguments: changes)
  func changed(what: String, post: ImportedPost) throws {
    let fixture = try Fixture()
    try fixture.load([tweet("1", "one", at: 10)])
    let revision = fixture.store.revision
    let report = try fixture.load([post])
    #expect((report.new, report.changed, report.same) == (0, 1, 0), "\(what)")
    #expect(fixture.store.revision == revision + 1)
    #expect(try fixture.load([post]).same == 1, "\(what)")
    #expect(try fixture.store.count(of: .home(fixture.ann), for: fixture.ann) == 1)
  }

  @Test("the report has the final state of each entry, even with duplicates in one batch") func reported() throws {
    let fixture = try Fixture()
    let report = try fixture.load([
      tweet("1", "old"), tweet("2", "reply", answers: "3"), tweet("1", "new"), tweet("3", "root"),
    ])
    #expect((report.new, report.changed) == (3, 1))
    #expect(report.entries.map(\.text) == ["new", "reply", "root"])
    for entry in report.entries { #expect(try fixture.store.post(entry.id, visibleTo: fixture.ann) == entry) }
  }

  @Test("the same native ID in another source is another post") func sources() throws {
    let fixture = try Fixture()
    var other = tweet("1", "elsewhere")
    other.source = "mastodon"
    #expect(try fixture.load([tweet("1", "here"), other]).new == 2)
    #expect(try fixture.store.resolve(reference: "mastodon:1", visibleTo: fixture.ann) == PostID(2))
  }

  @Test("an author's new name is reported, and empty fields erase nothing") func authors() throws {
    let fixture = try Fixture()
    var post = tweet("1", "one")
    post.author.avatarURL = "https://example.org/a.png"
    let author = try #require(try fixture.load([post]).authors.first)
    post.author = ImportedAuthor(nativeID: "1", handle: "h1", displayName: "Renamed")
    let report = try fixture.load([post])
    #expect(report.same == 1 && report.entries.isEmpty, "a name is not part of a post")
    let renamed = Author(
      id: author.id, handle: "h1", displayName: "Renamed", avatarURL: "https://example.org/a.png", source: "twitter")
    #expect(report.authors == [renamed])
    #expect(try fixture.store.authors([author.id, AuthorID(99)]) == [renamed])
  }

  static let unusable: [(String, ImportedPost)] = [
    ("no native id", tweet("", "x")), ("a long native id", tweet(String(repeating: "x", count: 2_049), "x")),
    ("no author", tweet("1", "x", by: "")), ("a zero byte", tweet("a\0b", "x")),
    ("an empty alias", tweet("1", "x", aliases: [""])),
    ("too many aliases", tweet("1", "x", aliases: (0..<17).map { "a\($0)" })),
    ("an empty reply key", tweet("1", "x", answers: "")),
    ("itself as original", tweet("1", "x", of: tweet("1", "y"))),
    ("an unusable original", tweet("1", "x", of: tweet("", "y"))),
    ("a repost of a repost", tweet("1", "x", of: tweet("2", "y", of: tweet("3", "z")))),
    (
      "a colon in its source",
      {
        var post = tweet("1")
        post.source = "a:b"
        return post
      }()
    ),
  ]

  @Test("a post with an unusable key is refused, the others are stored", arguments: unusable)
  func refused(what: String, post: ImportedPost) throws {
    let fixture = try Fixture()
    let report = try fixture.load([tweet("10", "ten"), post, tweet("20", "twenty")])
    #expect(report.refused == [RefusedPost(index: 1, reason: .unusableName)] && report.new == 2, "\(what)")
    #expect(try fixture.visible().count == 2)
  }

  @Test("native JSON is stored with the post and replaced with it") func natives() throws {
    let fixture = try Fixture()
    try fixture.load([tweet("1", "one", native: "{\"v\":1}")])
    try fixture.load([tweet("1", "uno", native: "{\"v\":2}")])
    try fixture.load([tweet("1", "eins")])
    let page = try fixture.store.exportPage(limit: 10, visibleTo: fixture.ann)
    #expect(page.posts.map(\.native) == [Array("{\"v\":2}".utf8)])
  }

  @Test("an import by an unknown account is refused") func owner() throws {
    let fixture = try Fixture()
    let commit = try fixture.store.commit([.importBatch([tweet("1")], owner: AccountID(77))])
    #expect(commit.outcomes == [.refused(.noSuchAccount(AccountID(77)))])
  }
}
