import Dates
import Posts
import Search
import TestSupport
import Testing

@testable import Store

@Suite("Store searches, open searches and the reference search agree")
struct SearchLawTests {
  @Test("for random posts, changes and queries, for every account", arguments: seeds(0..<6 as Range<UInt64>))
  func law(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let fixture = try Fixture()
    var hits = 0
    for round in 0..<3 {
      for owner in [fixture.ann, fixture.bob] {
        try fixture.load((0..<60).map { _ in Self.post(using: &generator) }, as: owner)
      }
      for _ in 0..<20 { try Self.write(fixture, using: &generator) }
      // Two authors are called like the accounts; one of them is claimed, and not by the account of that name.
      if round == 1 {
        _ = try fixture.store.commit([.claimIdentity(fixture.bob, source: "law", authorNativeID: "0")])
      }
      for account in [fixture.ann, fixture.bob] {
        let posts = try Self.posts(fixture, account)
        var index = SearchIndex()
        var queries: [SearchID: SearchQuery] = [:]
        for _ in 0..<60 {
          guard let query = try? SearchQuery(parsing: RandomSearch.query(using: &generator)) else { continue }
          queries[index.open(query)] = query
        }
        var matched: [SearchID: [StoredPost]] = [:]
        for post in posts {
          for id in index.matches(post.post, by: post.names) { matched[id, default: []].append(post.post) }
        }
        for (id, query) in queries.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
          let meant = posts.filter { ReferenceSearch.finds(query, $0.body, at: $0.post.createdAt, by: $0.names) }.map(
            \.post)
          let found = try Self.found(fixture, query, account, limit: Int.random(in: 1...40, using: &generator))
          #expect(found == meant, "seed \(seed), round \(round): \(query.canonical)")
          #expect(matched[id] ?? [] == meant, "seed \(seed), round \(round): \(query.canonical)")
          #expect(try fixture.store.search(query, for: account, limit: 0).total == meant.count)
          hits += meant.count
        }
      }
    }
    #expect(hits > 1_000, "the test found enough hits")
    #expect(try fixture.store.integrity() == [])
  }

  /// Writes a post for everyone, for followers or for @ann and @bob; sometimes deletes or edits one.
  static func write(_ fixture: Fixture, using generator: inout SeededGenerator) throws {
    let account = Bool.random(using: &generator) ? fixture.ann : fixture.bob
    let visibility: Visibility = [.public, .followers, .direct][Int.random(in: 0..<3, using: &generator)]
    var composition = fixture.composition("", as: account)
    composition.body = RandomSearch.body(using: &generator)
    composition.body.visibility = visibility
    composition.recipients = visibility == .direct ? ["ann", "bob"] : []
    composition.createdAt = RandomSearch.instant(using: &generator)
    var writes: [Write] = [.compose(composition)]
    let last = try fixture.store.database.integer("SELECT last_post FROM meta")
    if Int.random(in: 0..<3, using: &generator) == 0 {
      writes.append(.deletePost(account, PostID(Int64.random(in: 1...last + 1, using: &generator)), requestID: ""))
    }
    if Int.random(in: 0..<3, using: &generator) == 0 {
      let body = RandomSearch.body(using: &generator)
      let post = PostID(Int64.random(in: 1...last + 1, using: &generator))
      writes.append(.edit(Edition(account: account, post: post, text: body.text, spans: body.spans)))
    }
    _ = try fixture.store.commit(writes)
  }

  /// Returns one of a hundred posts, some of them private, sometimes inside a repost.
  static func post(using generator: inout SeededGenerator) -> ImportedPost {
    let number = Int.random(in: 0..<100, using: &generator)
    let author = Int.random(in: 0..<RandomSearch.handles.count, using: &generator)
    var post = ImportedPost(
      source: "law", nativeID: "\(number)",
      author: ImportedAuthor(nativeID: "\(author)", handle: SafeText(RandomSearch.handles[author]), displayName: "x"),
      createdAt: RandomSearch.instant(using: &generator), body: RandomSearch.body(using: &generator))
    post.body.visibility = [.public, .unlisted, .public, .public, .direct, .followers][number % 6]
    guard number % 9 == 0 else { return post }
    return ImportedPost(
      source: "law", nativeID: "r\(number)", author: post.author, createdAt: RandomSearch.instant(using: &generator),
      body: PostBody(text: .empty), original: post)
  }

  /// Returns all posts that an account may see, newest first, without reposts.
  static func posts(
    _ fixture: Fixture, _ account: AccountID
  ) throws -> [(post: StoredPost, body: PostBody, names: [SafeText])] {
    let last = try fixture.store.database.integer("SELECT last_post FROM meta")
    return try (1...last).compactMap { number in
      guard let post = try fixture.store.post(PostID(number), visibleTo: account), post.repostedBy == nil else {
        return nil
      }
      return (post, post.body.unpacked()!, try fixture.store.authors([post.author])[0].searchNames)
    }.sorted { $0.post.orderKey > $1.post.orderKey }
  }

  /// Returns all hits, read page by page.
  static func found(_ fixture: Fixture, _ query: SearchQuery, _ account: AccountID, limit: Int) throws -> [StoredPost] {
    var found: [StoredPost] = []
    while true {
      let page = try fixture.store.search(query, for: account, before: found.last?.orderKey, limit: limit)
      found += page.posts
      if page.isLast { return found }
    }
  }
}
