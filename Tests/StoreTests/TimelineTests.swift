import Dates
import Posts
import TestSupport
import Testing

@testable import Store

@Suite("The timeline, by instant and ID")
struct TimelineTests {
  @Test("newest first, ties by ID, whatever the order of arrival") func ordered() throws {
    let fixture = try Fixture()
    try fixture.load([tweet("a", "a", at: 5), tweet("b", "b", at: 9), tweet("c", "c", at: 5), tweet("d", "d", at: -3)])
    #expect(try fixture.texts() == ["b", "c", "a", "d"])
  }

  @Test(
    "pages neither repeat nor skip posts while others arrive", arguments: [1, 2, 3, 7, 50] as [Int], [1, 2] as [UInt64])
  func paging(limit: Int, seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let fixture = try Fixture()
    try fixture.load(
      (0..<120).map {
        tweet("old\($0)", "old", at: Int64($0 / 4), [.public, .followers].randomElement(using: &random)!)
      })
    let expected = try fixture.visible().map(\.id)
    let reader = try StoreReader(path: fixture.folder.file("posts.db"))
    var seen: [PostID] = []
    var cursor: OrderKey?
    for round in 0... {
      let page = try reader.home(fixture.ann, before: cursor, limit: limit)
      guard let last = page.last else { break }
      seen += page.filter { $0.text == "old" }.map(\.id)
      cursor = last.orderKey
      let at = Int64.random(in: 0..<40, using: &random)
      try fixture.load(
        [tweet("new\(round)", "new", at: at), tweet("other\(round)", "x", at: at, .direct)], as: fixture.bob)
    }
    #expect(seen == expected)
  }

  @Test("a concurrent reader sees whole commits") func reader() throws {
    let fixture = try Fixture()
    let reader = try StoreReader(path: fixture.folder.file("posts.db"))
    #expect(try reader.count(of: .home(fixture.ann), for: fixture.ann) == 0)
    try fixture.load([tweet("1", "one"), tweet("2", "two")])
    #expect(try reader.count(of: .home(fixture.ann), for: fixture.ann) == 2)
    try fixture.store.database.execute("BEGIN IMMEDIATE; DELETE FROM posts; DELETE FROM tallies")
    #expect(try reader.home(fixture.ann, limit: 10).count == 2)
    try fixture.store.database.execute("ROLLBACK")
  }

  @Test("a limit of zero or less returns nothing") func nothing() throws {
    let fixture = try Fixture()
    try fixture.load([tweet("1")])
    for limit in [0, -1, .min] {
      #expect(try fixture.store.home(fixture.ann, limit: limit) == [])
      #expect(try fixture.store.exportPage(limit: limit, visibleTo: fixture.ann).posts == [])
    }
  }

  static let references: [(String, Int64?)] = [
    ("1", 1), ("2", 2), ("twitter:10", 1), ("twitter:host#10", 1), ("twitter:http://a:b", 2), ("3", nil),
    ("twitter:20", nil),
    ("0", nil), ("-1", nil), ("", nil), ("99", nil), ("nowhere:10", nil), ("twitter:", nil), (":10", nil),
    ("twitter", nil),
  ]

  @Test("a post is found by its ID or by source and native ID", arguments: references)
  func named(reference: String, number: Int64?) throws {
    let fixture = try Fixture()
    try fixture.load([tweet("10", aliases: ["host#10"]), tweet("http://a:b")])
    try fixture.load([tweet("20", "bob's", .followers)], as: fixture.bob)
    #expect(try fixture.store.resolve(reference: reference, visibleTo: fixture.ann) == number.map { PostID($0) })
  }
}

@Suite("A conversation: the ancestors and descendants of a post")
struct ConversationTests {
  /// a <- b <- c <- d, b <- e, and z unconnected.
  static let thread = [
    tweet("a", "a", at: 1), tweet("b", "b", at: 2, answers: "a"), tweet("c", "c", at: 3, answers: "b"),
    tweet("d", "d", at: 4, answers: "c"), tweet("e", "e", at: 5, answers: "b"), tweet("z", "z", at: 6),
  ]

  @Test(
    "ancestors, the post and descendants, oldest first",
    arguments: [
      ("a", "abcde"), ("b", "abcde"), ("c", "abcd"), ("d", "abcd"), ("e", "abe"), ("z", "z"),
    ])
  func members(of id: String, expected: String) throws {
    let fixture = try Fixture()
    try fixture.load(Self.thread.reversed())
    let post = try #require(try fixture.store.resolve(reference: "twitter:\(id)", visibleTo: fixture.ann))
    #expect(try fixture.store.conversation(of: post, visibleTo: fixture.ann).map(\.text).joined() == expected)
  }

  @Test("a limit keeps the nearest posts", arguments: [(1, "c"), (2, "bc"), (3, "bcd"), (4, "abcd"), (9, "abcd")])
  func limited(limit: Int, expected: String) throws {
    let fixture = try Fixture()
    try fixture.load(Self.thread)
    #expect(
      try fixture.store.conversation(of: PostID(3), visibleTo: fixture.ann, limit: limit).map(\.text).joined()
        == expected)
  }

  @Test("a ring of replies terminates") func ring() throws {
    let fixture = try Fixture()
    try fixture.load([
      tweet("a", "a", at: 1, answers: "c"), tweet("b", "b", at: 2, answers: "a"), tweet("c", "c", at: 3, answers: "b"),
    ])
    try fixture.load([tweet("s", "s", answers: "s")])
    #expect(try fixture.store.conversation(of: PostID(2), visibleTo: fixture.ann).map(\.text) == ["a", "b", "c"])
    let own = try #require(try fixture.store.resolve(reference: "twitter:s", visibleTo: fixture.ann))
    #expect(try fixture.store.conversation(of: own, visibleTo: fixture.ann).map(\.text) == ["s"])
  }

  @Test("a repost has the conversation of its original; a missing or hidden post has none") func others() throws {
    let fixture = try Fixture()
    try fixture.load([tweet("x", at: 9, by: "2", of: Self.thread[1]), Self.thread[0], tweet("p", "private", .direct)])
    let repost = try #require(try fixture.store.resolve(reference: "twitter:x", visibleTo: fixture.bob))
    #expect(try fixture.store.conversation(of: repost, visibleTo: fixture.bob).map(\.text) == ["a", "b"])
    let secret = try #require(try fixture.store.resolve(reference: "twitter:p", visibleTo: fixture.ann))
    #expect(try fixture.store.conversation(of: secret, visibleTo: fixture.bob) == [])
    #expect(try fixture.store.conversation(of: PostID(99), visibleTo: fixture.ann) == [])
  }

  @Test("posts connected only through a hidden post are left out") func hidden() throws {
    let fixture = try Fixture()
    try fixture.load([
      tweet("a", "a", at: 1), tweet("b", "b", at: 2, answers: "a", .followers), tweet("c", "c", at: 3, answers: "b"),
    ])
    #expect(try fixture.store.conversation(of: PostID(1), visibleTo: fixture.bob).map(\.text) == ["a"])
    #expect(try fixture.store.conversation(of: PostID(3), visibleTo: fixture.bob).map(\.text) == ["c"])
    #expect(try fixture.store.conversation(of: PostID(1), visibleTo: fixture.ann).map(\.text) == ["a", "b", "c"])
  }
}
