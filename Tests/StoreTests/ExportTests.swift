import Posts
import Testing

@testable import Store

@Suite("An export contains everything needed to import it again")
struct ExportTests {
  static let posts = [
    tweet("1", "one", at: 10, native: "{\"id\":1}"), tweet("2", "two", at: 20, answers: "1", aliases: ["a", "b"]),
    tweet(
      "3", at: 30, by: "2", .unlisted,
      of: tweet("9", "nine", at: 5, by: "3", answers: "404", aliases: ["n"], native: "[]")),
    tweet("4", "four", at: 40, .followers), tweet("5", "five", at: 50, .direct),
  ]

  @Test("exporting an import returns the same posts", arguments: 1...6)
  func roundTrip(limit: Int) throws {
    let fixture = try Fixture()
    try fixture.load(Self.posts)
    let exported = try all(fixture.store, fixture.ann, limit: limit)
    #expect(exported == Self.posts)
    let other = try Fixture()
    try other.load(exported)
    #expect(try all(other.store, other.ann, limit: limit) == exported)
    #expect(try fixture.load(exported).same == exported.count)
  }

  @Test(
    "an export is oldest first, whatever came first, and posts of one instant come in the order of arrival",
    arguments: 1...5) func order(limit: Int) throws
  {
    let fixture = try Fixture()
    try fixture.load([tweet("1", "one", at: 30), tweet("2", "two", at: 10), tweet("3", "three", at: 20)])
    try fixture.load([tweet("4", "four", at: 10), tweet("5", "five", at: -40)])
    #expect(try all(fixture.store, fixture.ann, limit: limit).map(\.nativeID) == ["5", "2", "4", "3", "1"])
  }

  @Test("an export contains only visible posts, a public export only public ones") func visibility() throws {
    let fixture = try Fixture()
    try fixture.load(Self.posts)
    #expect(try all(fixture.store, fixture.bob, limit: 10).map(\.nativeID) == ["1", "2", "3"])
    let published = try fixture.store.exportPage(limit: 10, visibleTo: fixture.ann, publicOnly: true)
    #expect(published.posts.map(\.nativeID) == ["1", "2", "3"])
  }

  @Test("a damaged post is left out and reported") func damaged() throws {
    let fixture = try Fixture()
    try fixture.load(Self.posts)
    try fixture.store.database.execute("UPDATE posts SET body = x'01' WHERE native_id = '2'")
    let page = try fixture.store.exportPage(limit: 10, visibleTo: fixture.ann)
    #expect(page.posts.map(\.nativeID) == ["1", "3", "4", "5"] && page.damaged == [PostID(2)])
  }

  private func all(_ store: StoreReader, _ account: AccountID, limit: Int) throws -> [ImportedPost] {
    var posts: [ImportedPost] = []
    var next: OrderKey?
    repeat {
      let page = try store.exportPage(after: next, limit: limit, visibleTo: account)
      posts += page.posts
      next = page.next
    } while next != nil
    return posts
  }
}
