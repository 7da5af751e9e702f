import Posts
import Testing

@testable import Store

@Suite("A reply finds its parent, whichever arrives first")
struct ReplyTests {
  static let parent = tweet("p", "parent", at: 1, aliases: ["host#1"])
  static let arrivals: [(String, [[ImportedPost]])] = [
    ("parent first", [[parent], [tweet("r", "reply", at: 2, answers: "p")]]),
    ("reply first", [[tweet("r", "reply", at: 2, answers: "p")], [parent]]),
    ("in one batch", [[tweet("r", "reply", at: 2, answers: "p"), parent]]),
    ("by alias, parent first", [[parent], [tweet("r", "reply", at: 2, answers: "host#1")]]),
    ("by alias, reply first", [[tweet("r", "reply", at: 2, answers: "host#1")], [parent]]),
    (
      "by an alias that comes last of all",
      [
        [tweet("p", "parent", at: 1)], [tweet("r", "reply", at: 2, answers: "host#1")], [parent],
      ]
    ),
    (
      "to a parent that first comes inside a repost",
      [
        [tweet("r", "reply", at: 2, answers: "p")], [tweet("x", at: 3, by: "2", of: parent)],
      ]
    ),
  ]

  @Test("the reply knows its parent", arguments: arrivals)
  func resolved(how: String, batches: [[ImportedPost]]) throws {
    let fixture = try Fixture()
    var reports: [ImportReport] = []
    for batch in batches { reports.append(try fixture.load(batch)) }
    let parent = try #require(try fixture.store.resolve(reference: "twitter:p", visibleTo: fixture.ann))
    let reply = try #require(try fixture.store.resolve(reference: "twitter:r", visibleTo: fixture.ann))
    #expect(try fixture.store.post(reply, visibleTo: fixture.ann)?.inReplyTo == parent, "\(how)")
    #expect(reports.last?.entries.last { $0.id == reply }?.inReplyTo == parent, "it is reported with it: \(how)")
    for batch in batches { #expect(try fixture.load(batch).new == 0) }
    #expect(try fixture.store.post(reply, visibleTo: fixture.ann)?.inReplyTo == parent, "and keeps it: \(how)")
  }

  @Test("a reply key does not match another source") func otherSource() throws {
    let fixture = try Fixture()
    var other = tweet("p", "elsewhere")
    other.source = "mastodon"
    try fixture.load([other, tweet("r", "reply", answers: "p")])
    #expect(try fixture.visible().allSatisfy { $0.inReplyTo == nil })
  }

  @Test("a new reply key leaves the old parent") func moved() throws {
    let fixture = try Fixture()
    try fixture.load([tweet("a", "a"), tweet("b", "b"), tweet("r", "r", answers: "a")])
    let report = try fixture.load([tweet("r", "r", answers: "b")])
    #expect(report.entries.map(\.inReplyTo) == [PostID(2)])
    #expect(try fixture.load([tweet("r", "r")]).entries.map(\.inReplyTo) == [nil])
  }

  @Test("a reply to a repost replies to its original") func throughRepost() throws {
    let fixture = try Fixture()
    try fixture.load([
      tweet("x", at: 3, by: "2", of: tweet("o", "original", at: 1)), tweet("r", "reply", at: 4, answers: "x"),
    ])
    let original = try fixture.store.resolve(reference: "twitter:o", visibleTo: fixture.ann)
    #expect(try fixture.visible().first?.inReplyTo == original)
    let repost = try #require(try fixture.store.resolve(reference: "twitter:x", visibleTo: fixture.ann))
    #expect(try fixture.write("mine", at: 5, to: repost).inReplyTo == original)
  }

  @Test("a local reply to a post of any source keeps its parent over export and import") func exported() throws {
    let fixture = try Fixture()
    try fixture.load([tweet("p", "parent", at: 1)])
    _ = try fixture.write("mine", at: 2, to: PostID(1))
    _ = try fixture.write("mine too", at: 3, to: PostID(2))
    let posts = try fixture.store.exportPage(limit: 10, visibleTo: fixture.ann).posts
    #expect(posts.map(\.inReplyTo) == [nil, "twitter:p", "0000000000000007-2"])
    let other = try Fixture(epoch: 8)
    try other.load(posts.reversed())
    #expect(try other.texts() == ["mine too", "mine", "parent"])
    #expect(try other.visible().map(\.inReplyTo) == [PostID(2), PostID(3), nil])
  }
}
