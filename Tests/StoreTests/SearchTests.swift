import Dates
import Posts
import Search
import TestSupport
import Testing

@testable import Store

@Suite("Search finds visible posts by their words, newest first")
struct SearchTests {
  /// Returns the texts of the posts that a query finds.
  static func hits(
    _ fixture: Fixture, _ query: String, as account: AccountID? = nil, before key: OrderKey? = nil, limit: Int = 100
  ) throws -> [String] {
    let query = try SearchQuery(parsing: query)
    return try fixture.store.search(query, for: account ?? fixture.ann, before: key, limit: limit).posts.map(\.text)
  }

  @Test("words, phrases, authors, tags, links and days together") func everything() throws {
    let fixture = try Fixture()
    var tagged = tweet("3", "a cat #Cats https://a.b", at: 86_400)
    tagged.body.spans = TextSpans.find(in: tagged.body.text)
    try fixture.load([tweet("1", "the cat", at: 10), tweet("2", "cat the", at: 20, by: "2"), tagged])
    #expect(try Self.hits(fixture, "cat") == ["a cat #Cats https://a.b", "cat the", "the cat"])
    #expect(try Self.hits(fixture, "\"the cat\"") == ["the cat"])
    #expect(try Self.hits(fixture, "cat from:H2") == ["cat the"])
    #expect(try Self.hits(fixture, "cat -from:h2 -#cats") == ["the cat"])
    #expect(try Self.hits(fixture, "from:h1 from:h2 the") == ["cat the", "the cat"])
    #expect(try Self.hits(fixture, "from:nobody cat") == [])
    #expect(try Self.hits(fixture, "-from:nobody the") == ["cat the", "the cat"])
    #expect(try Self.hits(fixture, "#cats has:link").count == 1)
    #expect(try Self.hits(fixture, "after:1970-01-02") == ["a cat #Cats https://a.b"])
    #expect(try Self.hits(fixture, "-the before:1970-01-02") == [])
    #expect(try Self.hits(fixture, "before:1970-01-02 after:1970-01-01T00:00:20Z") == ["cat the"])
  }

  @Test("changed posts are found by their new words, and new counts alone are not indexed") func updates() throws {
    let fixture = try Fixture()
    try fixture.load([tweet("1", "old words", at: 10)])
    try fixture.load([tweet("1", "new words", at: 20)])
    #expect(try Self.hits(fixture, "old") == [])
    #expect(try Self.hits(fixture, "words after:1970-01-01T00:00:15Z") == ["new words"])
    let pieces = try fixture.store.database.integer("SELECT sum(length(block)) FROM search_data")
    var counted = tweet("1", "new words", at: 20)
    counted.body.counts.favourites = 7
    #expect(try fixture.load([counted]).changed == 1)
    #expect(try fixture.store.database.integer("SELECT sum(length(block)) FROM search_data") == pieces)
    try fixture.load([tweet("1", "new words", at: 20, .direct)])
    #expect(try Self.hits(fixture, "new") == ["new words"])
    #expect(try Self.hits(fixture, "new", as: fixture.bob) == [])
    try fixture.load([tweet("1", "newest words", at: 20, .direct), tweet("1", "last words", at: 20, .direct)])
    #expect(try Self.hits(fixture, "words") == ["last words"])
  }

  @Test("search finds originals, not reposts, whether or not the original is an entry") func reposts() throws {
    let fixture = try Fixture()
    try fixture.load([tweet("2", at: 20, of: tweet("1", "inner cat", at: 10, by: "2"))])
    #expect(try Self.hits(fixture, "cat") == ["inner cat"])
    #expect(try Self.hits(fixture, "from:h1") == [])
    try fixture.load([tweet("2", "no repost any more cat", at: 20)])
    #expect(try Self.hits(fixture, "cat") == ["no repost any more cat", "inner cat"])
  }

  @Test("a renamed author is found by the new handle only") func renaming() throws {
    let fixture = try Fixture()
    var post = tweet("1", "cat")
    try fixture.load([post])
    post.author.handle = "Ärger"
    try fixture.load([post])
    #expect(try Self.hits(fixture, "from:h1") == [])
    #expect(try Self.hits(fixture, "from:Ärger") == ["cat"])
    #expect(try Self.hits(fixture, "from:ärger") == [], "case is folded in ASCII alone")
  }

  @Test("a deleted post is not found and its words leave the index") func deletion() throws {
    let fixture = try Fixture()
    let post = try fixture.write("a cat", at: 1)
    _ = try fixture.write("a dog", at: 1)
    _ = try fixture.store.commit([.deletePost(fixture.ann, post.id, requestID: "")])
    #expect(try Self.hits(fixture, "a") == ["a dog"])
    #expect(try fixture.store.integrity() == [])
    let again = fixture.composition("a bird", at: 1)
    let outcomes = try fixture.store.commit([.compose(again), .compose(fixture.composition("a fish", at: 0))]).outcomes
    #expect(outcomes.count == 2)
    #expect(try Self.hits(fixture, "a") == ["a bird", "a dog", "a fish"])
  }

  @Test("only followers and the people of a conversation find posts for them") func groups() throws {
    let fixture = try Fixture()
    let eve = try fixture.store.account(uid: 1002, name: "eve").id
    _ = try fixture.write("cat for followers", at: 1, .followers)
    _ = try fixture.write("cat for @bob", at: 2, .direct)
    try fixture.load([tweet("3", "cat of ann's own", at: 3, .direct)])
    #expect(try Self.hits(fixture, "cat").count == 3)
    #expect(try Self.hits(fixture, "cat", as: fixture.bob) == ["cat for @bob", "cat for followers"])
    #expect(try Self.hits(fixture, "cat", as: eve) == ["cat for followers"])
    #expect(try Self.hits(fixture, "-dog", as: eve) == ["cat for followers"])
    #expect(try Self.hits(fixture, "@bob", as: eve) == [])
    let author = try #require(
      try fixture.store.search(try SearchQuery(parsing: "cat"), for: eve, limit: 1).authors.first
    ).id
    _ = try fixture.store.commit([.unfollow(eve, author)])
    #expect(try Self.hits(fixture, "cat", as: eve) == [], "a former follower finds nothing")
    #expect(try Self.hits(fixture, "cat", as: AccountID(99)) == [])
  }

  @Test("an account in more groups than a search names finds all its posts, and no others") func manyGroups()
    throws
  {
    let fixture = try Fixture()
    for number in 0..<70 {
      _ = try fixture.store.account(uid: UInt32(2_000 + number), name: "friend\(number)")
      _ = try fixture.write("cat for @bob and @friend\(number)", at: Int64(number), .direct)
    }
    _ = try fixture.write("cat for @friend0", at: 100, .direct)
    #expect(try Self.hits(fixture, "cat", as: fixture.bob).count == 70)
    #expect(try Self.hits(fixture, "-dog", as: fixture.bob).count == 70)
    #expect(try Self.hits(fixture, "cat").count == 71)
  }

  @Test("pages continue where the last one ended, even within one instant", arguments: [1, 3, 7])
  func pages(limit: Int) throws {
    let fixture = try Fixture()
    let posts = (0..<40).map { number in
      var post = tweet("\(number)", "cat \(number)")
      post.createdAt = Instant(milliseconds: Int64(number / 5 * 40))
      return post
    }
    try fixture.load(posts.reversed())
    var found: [StoredPost] = []
    while true {
      let page = try fixture.store.search(
        try SearchQuery(parsing: "cat"), for: fixture.ann, before: found.last?.orderKey, limit: limit)
      found += page.posts
      #expect(page.total == 40 && page.authors.map(\.handle) == ["h1"])
      if page.isLast { break }
    }
    #expect(found == (try fixture.visible()), "in list order")
  }

  @Test("more posts of one instant than a bucket holds, and instants that no calendar reaches") func overflow()
    throws
  {
    let fixture = try Fixture()
    let count = Int(SearchKey.places) + 50
    try fixture.load((0..<count).map { tweet("\($0)", "cat \($0)", at: 5) })
    var far = tweet("far", "cat far")
    far.createdAt = Instant(milliseconds: .max)
    var past = tweet("past", "cat past")
    past.createdAt = Instant(milliseconds: .min)
    try fixture.load([far, past, tweet("late", "cat late", at: 6)])
    let query = try SearchQuery(parsing: "cat")
    let page = try fixture.store.search(query, for: fixture.ann, limit: 10_000)
    #expect(page.posts == (try fixture.visible()) && page.total == count + 3 && page.isLast)
    #expect(try fixture.store.search(query, for: fixture.ann, limit: 3).total == count + 3)
    #expect(try Self.hits(fixture, "cat", limit: 3) == ["cat far", "cat late", "cat \(count - 1)"])
    #expect(try Self.hits(fixture, "cat after:1970-01-01T00:00:06Z") == ["cat far", "cat late"])
    #expect(try Self.hits(fixture, "cat before:1970-01-01") == ["cat past"])
    try fixture.load((0..<count).map { tweet("\($0)", "dog \($0)", at: 5) })
    #expect(try Self.hits(fixture, "cat") == ["cat far", "cat late", "cat past"])
    #expect(try fixture.store.database.integer("SELECT count(*) FROM search_posts") == Int64(count) + 3)
  }

  @Test("a search returns at most the newest ten thousand hits") func limit() throws {
    let fixture = try Fixture()
    try fixture.load((0..<StoreLimits.searchHits + 20).map { tweet("\($0)", "cat \($0)", at: Int64($0)) })
    let query = try SearchQuery(parsing: "cat")
    let all = try fixture.store.search(query, for: fixture.ann, limit: 20_000)
    #expect(all.posts.count == StoreLimits.searchHits && all.posts.last?.text == "cat 20" && all.isLast)
    #expect(all.total == StoreLimits.searchHits)
    let key = all.posts[StoreLimits.searchHits - 3].orderKey
    let page = try fixture.store.search(query, for: fixture.ann, before: key, limit: 10)
    #expect(page.posts.map(\.text) == ["cat 21", "cat 20"] && page.isLast && page.total == StoreLimits.searchHits)
    #expect(try !fixture.store.search(query, for: fixture.ann, before: key, limit: 1).isLast)
    #expect(try fixture.store.search(query, for: fixture.ann, before: all.posts.last!.orderKey, limit: 10).posts == [])
  }

  @Test("a damaged post can be replaced in the index") func damaged() throws {
    let fixture = try Fixture()
    try fixture.load([tweet("1", "cat", at: 1), tweet("2", "cat", at: 2)])
    try fixture.store.database.execute("UPDATE posts SET body = x'09' WHERE native_id = '1'")
    try fixture.load([tweet("1", "dog", at: 1)])
    #expect(try Self.hits(fixture, "dog") == ["dog"])
  }
}
