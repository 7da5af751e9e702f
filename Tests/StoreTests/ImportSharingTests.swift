import Posts
import Testing

@testable import Store

@Suite("Imports in the name of others are for the importer alone unless they are shared")
struct ImportSharingTests {
  @discardableResult
  private func load(
    _ fixture: Fixture, _ posts: [ImportedPost], as owner: AccountID? = nil,
    _ sharing: ImportSharing = .own(archive: nil)
  ) throws -> ImportReport {
    let outcome = try fixture.store.commit([.importBatch(posts, owner: owner ?? fixture.ann, sharing: sharing)])
      .outcomes[0]
    guard case .imported(let report) = outcome else { throw Unexpected(outcome) }
    return report
  }

  @Test("a public post by another is seen by the importer only, and a second import changes nothing") func alone()
    throws
  {
    let fixture = try Fixture()
    let posts = [tweet("1", "I resign", at: 1, by: "2"), tweet("2", "me too", at: 2, by: "2", .unlisted)]
    #expect(try load(fixture, posts).new == 2)
    #expect(try load(fixture, posts).same == 2)
    #expect(try fixture.texts() == ["me too", "I resign"] && fixture.texts(fixture.bob) == [])
    #expect(try SearchTests.hits(fixture, "resign", as: fixture.bob) == [])
    #expect(try load(fixture, posts, as: fixture.bob).new == 2, "each account has a copy of its own")
    #expect(try fixture.texts() == ["me too", "I resign"] && fixture.texts(fixture.bob) == ["me too", "I resign"])
    #expect(try fixture.store.integrity() == [])
  }

  @Test("posts by the archive's author and by claimed authors are for everyone") func own() throws {
    let fixture = try Fixture()
    let posts = [tweet("1", "mine", at: 1, by: "1"), tweet("2", "not mine", at: 2, by: "2")]
    try load(fixture, posts, .own(archive: "1"))
    #expect(try fixture.texts(fixture.bob) == ["mine"])
    _ = try fixture.store.commit([.claimIdentity(fixture.ann, source: "twitter", authorNativeID: "1")])
    try load(fixture, [tweet("3", "mine as well", at: 3, by: "1")])
    try load(fixture, [tweet("4", "from an archive", at: 4, by: "1"), tweet("5", at: 5, by: "1", of: posts[1])])
    #expect(try fixture.texts(fixture.bob) == ["from an archive", "mine as well", "mine"])
    #expect(try fixture.texts().count == 5)
    #expect(try fixture.store.integrity() == [])
  }

  @Test("a post that everyone may see stays so, and is not stored twice") func shared() throws {
    let fixture = try Fixture()
    let post = tweet("1", "news", at: 1, by: "2")
    try load(fixture, [post], .everyone)
    #expect(try load(fixture, [post], as: fixture.bob).changed == 1, "it came into bob's timeline")
    #expect(try fixture.store.home(fixture.bob).map(\.text) == ["news"])
    #expect(try load(fixture, [tweet("1", "late news", at: 1, by: "2")]).changed == 1)
    #expect(try fixture.texts(fixture.bob) == ["late news"] && fixture.texts() == ["late news"])
    #expect(try fixture.store.integrity() == [])
  }

  @Test("importing again with sharing shows the posts to everyone") func published() throws {
    let fixture = try Fixture()
    let post = tweet("1", "news", at: 1, by: "2")
    try load(fixture, [post])
    #expect(try load(fixture, [post], .everyone).changed == 1)
    #expect(try fixture.texts(fixture.bob) == ["news"] && fixture.texts() == ["news"])
    #expect(try load(fixture, [post]).same == 1, "what is public once stays public")
    #expect(try fixture.texts(fixture.bob) == ["news"])
    #expect(try fixture.store.integrity() == [])
  }

  @Test("a repost in the name of another stays the importer's when its original becomes public") func reposts() throws {
    let fixture = try Fixture()
    let original = tweet("1", "news", at: 1, by: "2")
    let repost = tweet("2", at: 2, by: "3", of: original)
    try load(fixture, [repost])
    try load(fixture, [original], .everyone)
    #expect(try fixture.texts(fixture.bob) == ["news"], "the original alone")
    #expect(try fixture.texts() == ["news", "news"])
    #expect(try load(fixture, [repost], .everyone).changed == 1)
    #expect(try fixture.texts(fixture.bob) == ["news", "news"])
    #expect(try fixture.store.integrity() == [])
  }
}
