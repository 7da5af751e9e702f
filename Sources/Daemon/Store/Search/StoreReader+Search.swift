internal import Dates
public import Posts
public import Search

extension StoreReader {
  /// At most `limit` posts that `account` may see and that a query finds, newest first: those before `key`, or the
  /// newest. No reposts: what they repost is found itself, also where it came only inside of one.
  ///
  /// A search finds at most ``StoreLimits/searchHits`` posts, the newest, which is also the greatest total. Of authors
  /// with a handle that is searched for, the first ``StoreLimits/searchAuthors`` count. Costs what it hands out and
  /// counts, whatever others keep private.
  public func search(
    _ query: SearchQuery, for account: AccountID, before key: OrderKey? = nil, limit: Int
  ) throws(StoreError) -> PostPage {
    try snapshot { () throws(StoreError) in
      guard let search = try prepared(query, account) else { return try page([], limit, total: 0) }
      let newer = try key.map { key throws(StoreError) in try count(search.from(key)) } ?? 0
      let most = min(min(max(limit, 0), StoreLimits.searchHits) + 1, StoreLimits.searchHits - newer)
      let posts = most > 0 ? try hits(key.map(search.before) ?? search, limit: most) : []
      let isAll = key == nil && posts.count < most
      return try page(posts, limit, total: isAll ? posts.count : try count(search))
    }
  }

  // MARK: Pieces of it

  /// A query with its authors and audiences looked up; nil where nobody has a handle that it asks for, or there is no
  /// such account.
  private func prepared(_ query: SearchQuery, _ account: AccountID) throws(StoreError) -> PreparedSearch? {
    let audiences = try audiences(of: account)
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

  private func authors(called handles: [[UInt8]]) throws(StoreError) -> [AuthorID] {
    let statement = try connection.statement(.authorsCalled)
    var ids: [AuthorID] = []
    for handle in handles {
      defer { statement.reset() }
      statement.bind(1, text: handle)
      statement.bind(2, Int64(StoreLimits.searchAuthors))
      while try statement.step() { ids.append(AuthorID(statement.integer(0))) }
    }
    return ids
  }

  private func audiences(of account: AccountID) throws(StoreError) -> [Audience] {
    let statement = try connection.statement(.audiencesOf)
    defer { statement.reset() }
    statement.bind(1, account.rawValue)
    var audiences: [Audience] = []
    while try statement.step() { audiences.append(Audience(number: statement.integer(0))) }
    return audiences
  }

  /// Whole buckets are read until there are enough, because the order within one is settled here.
  private func hits(_ search: PreparedSearch, limit: Int) throws(StoreError) -> [StoredPost] {
    var posts: [StoredPost] = []
    do {
      let statement = try connection.statement(.searchHits)
      defer { statement.reset() }
      search.bind(statement, keys: search.keys)
      while try statement.step() {
        let post = StoredPost(row: statement)
        if posts.count >= limit, SearchKey.bucket(post.createdAt) != SearchKey.bucket(posts[posts.count - 1].createdAt)
        {
          break
        }
        posts.append(post)
      }
    }
    if try hasOverflow() {
      let statement = try connection.statement(.searchOverflow)
      defer { statement.reset() }
      search.bind(statement, keys: SearchKey.overflow)
      statement.bind(9, Int64(limit))
      posts += try self.posts(statement)
    }
    posts.sort { $0.orderKey > $1.orderKey }
    return Array(posts.prefix(limit))
  }

  /// How many hits there are, up to the most that there may be.
  private func count(_ search: PreparedSearch) throws(StoreError) -> Int {
    var count = 0
    var others = [search.keys]
    if let whole = search.wholeKeys {
      let statement = try connection.statement(.searchCountWhole)
      defer { statement.reset() }
      search.bind(statement, wholeKeys: whole)
      statement.bind(4, Int64(StoreLimits.searchHits))
      while try statement.step() { count += 1 }
      others = [search.keys.lowerBound..<whole.lowerBound, whole.upperBound..<search.keys.upperBound]
    }
    if try hasOverflow() { others.append(SearchKey.overflow) }
    for keys in others where !keys.isEmpty {
      let statement = try connection.statement(.searchCount)
      defer { statement.reset() }
      search.bind(statement, keys: keys)
      statement.bind(9, Int64(StoreLimits.searchHits - count))
      while try statement.step() { count += 1 }
    }
    return count
  }

  private func hasOverflow() throws(StoreError) -> Bool {
    let statement = try connection.statement(.hasOverflow)
    defer { statement.reset() }
    statement.bind(1, SearchKey.overflow.lowerBound)
    return try statement.step() && statement.integer(0) != 0
  }
}
