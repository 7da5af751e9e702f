import Dates
import Posts
import Testing

@testable import Store

@Suite("A repost is an entry of its own that shows its original")
struct RepostTests {
  @Test("it has its own ID and instant, and the original's author, text and parent") func shown() throws {
    let fixture = try Fixture()
    let report = try fixture.load([
      tweet("p", "parent", at: 1),
      tweet("x", "ignored", at: 9, by: "2", of: tweet("o", "original", at: 5, by: "3", answers: "p")),
    ])
    #expect(report.new == 2 && report.originals.map(\.text) == ["original"])
    let entry = try #require(try fixture.visible().first)
    let original = try #require(report.originals.first)
    #expect(entry.subject == original.id && entry.id != original.id)
    #expect(entry.createdAt.seconds == 9 && entry.originalAt?.seconds == 5 && entry.text == "original")
    #expect(entry.author == original.author && entry.repostedBy != nil && entry.repostedBy != entry.author)
    #expect(entry.inReplyTo == original.inReplyTo && entry.inReplyTo != nil)
  }

  @Test("its original is not an entry until it is imported by itself") func promotion() throws {
    let fixture = try Fixture()
    let original = tweet("o", "original", at: 5)
    try fixture.load([tweet("x", at: 9, by: "2", of: original)])
    #expect(try fixture.texts() == ["original"])
    #expect(try fixture.store.count(of: .home(fixture.ann), for: fixture.ann) == 1)
    let report = try fixture.load([original])
    #expect(report.changed == 1 && report.entries.contains { $0.subject == $0.id && $0.text == "original" })
    #expect(try fixture.texts() == ["original", "original"])
    #expect(try fixture.store.count(of: .home(fixture.ann), for: fixture.ann) == 2)
    try fixture.load([tweet("x", at: 9, by: "2", of: original)])
    #expect(try fixture.visible().count == 2, "and stays one")
  }

  @Test("when the original changes, all its reposts are reported", arguments: [false, true])
  func original(embedded: Bool) throws {
    let fixture = try Fixture()
    try fixture.load([
      tweet("x", at: 9, by: "2", of: tweet("o", "old", at: 5)),
      tweet("y", at: 8, by: "3", of: tweet("o", "old", at: 5)),
    ])
    let changed = tweet("o", "new", at: 5)
    let report = try fixture.load([embedded ? tweet("x", at: 9, by: "2", of: changed) : changed])
    #expect(report.changed == 1)
    #expect(report.entries.filter { $0.repostedBy != nil }.map(\.text) == ["new", "new"])
    #expect(Set(try fixture.texts()) == ["new"])
  }

  @Test("a repost of a hidden post is hidden") func audience() throws {
    let fixture = try Fixture()
    let secret = tweet("o", "secret", at: 5, .followers)
    try fixture.load([tweet("x", at: 9, by: "2", of: secret)])
    #expect(try fixture.texts() == ["secret"])
    #expect(try fixture.texts(fixture.bob).isEmpty)
    #expect(try fixture.store.count(of: .home(fixture.bob), for: fixture.bob) == 0)
  }

  @Test("an original that becomes private hides its reposts until it is public again") func narrowing() throws {
    let fixture = try Fixture()
    try fixture.load([tweet("o", "text", at: 5)])
    try fixture.load([tweet("x", at: 9, by: "2", of: tweet("o", "text", at: 5))], as: fixture.bob)
    let report = try fixture.load([tweet("o", "text", at: 5, .followers)])
    #expect(Set(report.entries.map(\.audience)) == [.only(fixture.ann)])
    #expect(try fixture.texts(fixture.bob).isEmpty)
    #expect(try fixture.visible().count == 2)
    try fixture.load([tweet("o", "text", at: 5)])
    #expect(try fixture.texts(fixture.bob) == ["text", "text"])
    #expect(try fixture.store.count(of: .home(fixture.ann), for: fixture.ann) == 1, "the original")
    #expect(try fixture.store.count(of: .home(fixture.bob), for: fixture.bob) == 1, "his repost")
  }

  @Test("a private repost of a post that becomes private to another account is hidden from all") func nobody() throws {
    let fixture = try Fixture()
    try fixture.load([tweet("o", "text", at: 5)])
    try fixture.load([tweet("x", at: 9, by: "2", .direct, of: tweet("o", "text", at: 5))], as: fixture.bob)
    #expect(try fixture.texts(fixture.bob) == ["text", "text"])
    let report = try fixture.load([tweet("o", "text", at: 5, .direct)])
    #expect(report.entries.first { $0.repostedBy != nil }?.audience == .nobody)
    #expect(try fixture.texts(fixture.bob).isEmpty)
    #expect(try fixture.texts() == ["text"])
  }
}
