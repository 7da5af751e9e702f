internal import Dates
public import Posts

extension StoreReader {
  /// The conversation of a post: what it answers, up to the first post; itself; what answers it, down to the last. Of a
  /// repost, the conversation of its original.
  ///
  /// Ordered by instant, then by number. Only what `account` may see, and nothing that hangs on it by a post that it
  /// may not see. At most `limit` posts (and at most ``StoreLimits/conversationPosts``): the nearest of the ancestors,
  /// in at most half of it, then replies, the nearest first. Replies that form a ring, as a forged file may have them,
  /// end it. Empty where there is no such post.
  public func conversation(
    of id: PostID, visibleTo account: AccountID, limit: Int = StoreLimits.conversationPosts
  ) throws(StoreError) -> [StoredPost] {
    guard let entry = try post(id, visibleTo: account) else { return [] }
    let limit = min(max(limit, 1), StoreLimits.conversationPosts)
    let ancestors = try thread(.ancestors, entry.subject, account, limit: 1 + limit / 2)
    let below = try thread(.descendants, entry.subject, account, limit: max(1, limit - ancestors.count))
    let above = Set(ancestors.map(\.id))
    let posts = ancestors + below.filter { !above.contains($0.id) }
    return posts.sorted { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }
  }

  private func thread(
    _ query: Query, _ id: PostID, _ account: AccountID, limit: Int
  ) throws(StoreError) -> [StoredPost] {
    let statement = try connection.statement(query)
    defer { statement.reset() }
    statement.bind(1, id.rawValue)
    statement.bind(2, account.rawValue)
    statement.bind(3, Int64(limit))
    return try posts(statement)
  }
}
