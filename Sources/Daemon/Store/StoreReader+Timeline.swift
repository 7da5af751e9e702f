internal import Dates
public import Posts

extension StoreReader {
  /// How many entries the timeline of `account` has; O(1).
  public func timelineCount(visibleTo account: AccountID) throws(StoreError) -> Int {
    let statement = try connection.statement(.timelineCount)
    defer { statement.reset() }
    statement.bind(1, account.rawValue)
    return try statement.step() ? Int(statement.integer(0)) : 0
  }

  /// At most `limit` entries of the timeline of `account`, newest first: those older than `cursor`, or the newest.
  ///
  /// Ordered by instant, then by number, both descending. Costs what it hands out, whatever the length of the timeline and
  /// whatever others keep private.
  public func loadTimeline(
    visibleTo account: AccountID, before cursor: TimelineCursor? = nil, limit: Int
  ) throws(StoreError) -> [StoredPost] {
    let statement = try connection.statement(.timelinePage)
    defer { statement.reset() }
    statement.bind(1, account.rawValue)
    statement.bind(2, cursor?.createdAt.milliseconds ?? .max)
    statement.bind(3, cursor?.id.rawValue ?? .max)
    statement.bind(4, Int64(max(limit, 0)))
    return try posts(statement)
  }

  /// One post, or nil where there is none or `account` may not see it.
  public func post(_ id: PostID, visibleTo account: AccountID) throws(StoreError) -> StoredPost? {
    guard let post = try post(id), post.audience.includes(account) else { return nil }
    return post
  }

  /// One post, whoever may see it.
  func post(_ id: PostID) throws(StoreError) -> StoredPost? {
    let statement = try connection.statement(.post)
    defer { statement.reset() }
    statement.bind(1, id.rawValue)
    return try statement.step() ? StoredPost(row: statement) : nil
  }

  /// The rest of the statement's rows.
  func posts(_ statement: Statement) throws(StoreError) -> [StoredPost] {
    var posts: [StoredPost] = []
    while try statement.step() { posts.append(StoredPost(row: statement)) }
    return posts
  }
}
