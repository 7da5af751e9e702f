internal import Dates
public import Posts

extension StoreReader {
  /// The post that an earlier command with the same request id deleted; it may be there again.
  public func post(deletedBy requestID: String, _ account: AccountID) throws(StoreError) -> PostID? {
    guard case .deletion(let post) = try made(by: requestID, account) else { return nil }
    return post
  }

  /// One post, or nil where there is none or `account` may not see it.
  public func post(_ id: PostID, visibleTo account: AccountID) throws(StoreError) -> StoredPost? {
    let statement = try connection.statement(.visiblePost)
    defer { statement.reset() }
    statement.bind(1, id.rawValue)
    statement.bind(2, account.rawValue)
    return try statement.step() ? StoredPost(row: statement) : nil
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

extension OrderKey {
  /// Reads instant and number from the first two columns.
  init(row: Statement) {
    self.init(createdAt: Instant(milliseconds: row.integer(0)), id: PostID(row.integer(1)))
  }
}
