internal import Dates
internal import Posts
internal import Search

/// Finds posts by their words.
struct SearchReader {
  private let connection: Connection

  init(_ connection: Connection) { self.connection = connection }

  /// See ``StoreReader/search(_:for:before:limit:)``.
  func search(
    _ query: SearchQuery, for account: AccountID, before key: OrderKey?, limit: Int
  ) throws(StoreError) -> PostPage {
    try connection.snapshot { () throws(StoreError) in
      let pages = PageReader(connection)
      guard let search = try prepared(query, account) else { return try pages.page([], limit, total: 0) }
      let newer = if let key { try count(search.from(key)) } else { 0 }
      let most = min(min(max(limit, 0), StoreLimits.searchHits) + 1, StoreLimits.searchHits - newer)
      let posts = most > 0 ? try hits(key.map(search.before) ?? search, limit: most) : []
      let isAll = key == nil && posts.count < most
      return try pages.page(posts, limit, total: isAll ? posts.count : try count(search))
    }
  }

  /// Resolves the authors and audiences of a query; returns nil if no author has a handle that it requires, or there is
  /// no such account.
  private func prepared(_ query: SearchQuery, _ account: AccountID) throws(StoreError) -> PreparedSearch? {
    let query = query.bound(to: account)
    let audiences = try AudienceGroupReader(connection).audiences(of: account)
    if audiences.isEmpty { return nil }
    var authors: [AuthorID]?
    if !query.authors.isEmpty {
      let called = try self.authors(called: query.authors)
      if called.isEmpty { return nil }
      authors = called
    }
    let expression = MatchExpression(
      query, audiences: audiences, authors: authors, excludedAuthors: try self.authors(called: query.excludedAuthors))
    return PreparedSearch(query, account, expression)
  }

  /// Returns the authors whom `from:` finds by these names: those of an account if it is the name of one, so that
  /// nobody else appears under it (``Author/searchNames``).
  private func authors(called names: [[UInt8]]) throws(StoreError) -> [AuthorID] {
    if names.isEmpty { return [] }
    let accounts = try AccountReader(connection).accounts()
    let taken = Set(accounts.map { AccountName.folded(Array($0.name.utf8)) })
    var ids: [AuthorID] = []
    for name in names {
      for account in accounts where SearchQuery.handle(account.name.utf8) == name {
        ids += try AuthorReader(connection).identities(of: account.id)
      }
      if taken.contains(AccountName.folded(name)) { continue }
      ids += try connection.rows(HitQuery.authors, TextBytes(bytes: name), StoreLimits.searchAuthors) { row in
        AuthorID(row.integer(0))
      }
    }
    return ids
  }

  /// Returns the first hits. Reads whole buckets until there are enough, because the order within a bucket is
  /// established here.
  private func hits(_ search: PreparedSearch, limit: Int) throws(StoreError) -> [StoredPost] {
    var posts = try placedHits(search, limit: limit)
    if try hasOverflow() {
      let keys = SearchKey.overflow
      posts += try connection.rows(
        HitQuery.overflow, search.expression.text, search.account, keys.lowerBound, keys.upperBound - 1,
        search.upper.createdAt, search.upper.id, search.lower.createdAt, search.lower.id, limit,
        read: StoredPost.init(row:))
    }
    posts.sort { $0.orderKey > $1.orderKey }
    return Array(posts.prefix(limit))
  }

  /// Returns hits with a place in a bucket, at least `limit` if there are that many.
  private func placedHits(_ search: PreparedSearch, limit: Int) throws(StoreError) -> [StoredPost] {
    let statement = try connection.bound(
      HitQuery.hits, search.expression.text, search.account, search.keys.lowerBound, search.keys.upperBound - 1,
      search.upper.createdAt, search.upper.id, search.lower.createdAt, search.lower.id)
    defer { statement.reset() }
    var posts: [StoredPost] = []
    while try statement.step() {
      let post = StoredPost(row: statement)
      if posts.count >= limit, SearchKey.bucket(post.createdAt) != SearchKey.bucket(posts[posts.count - 1].createdAt) {
        break
      }
      posts.append(post)
    }
    return posts
  }

  /// Returns the number of hits, at most ``StoreLimits/searchHits``.
  private func count(_ search: PreparedSearch) throws(StoreError) -> Int {
    var count = 0
    var others = [search.keys]
    if let whole = search.wholeKeys {
      count += try connection.rowCount(
        HitQuery.countWhole, search.expression.text, whole.lowerBound, whole.upperBound - 1, StoreLimits.searchHits)
      others = [search.keys.lowerBound..<whole.lowerBound, whole.upperBound..<search.keys.upperBound]
    }
    if try hasOverflow() { others.append(SearchKey.overflow) }
    for keys in others where !keys.isEmpty {
      count += try connection.rowCount(
        HitQuery.count, search.expression.text, search.account, keys.lowerBound, keys.upperBound - 1,
        search.upper.createdAt, search.upper.id, search.lower.createdAt, search.lower.id,
        StoreLimits.searchHits - count)
    }
    return count
  }

  private func hasOverflow() throws(StoreError) -> Bool {
    try connection.flag(HitQuery.hasOverflow, SearchKey.overflow.lowerBound)
  }
}
