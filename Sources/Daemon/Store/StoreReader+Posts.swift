public import Posts
public import Search

extension StoreReader {
  /// The post that an earlier command with the same request id deleted; it may be there again.
  public func post(deletedBy requestID: String, _ account: AccountID) throws(StoreError) -> PostID? {
    guard case .deletion(let post) = try RequestLog(database).done(by: requestID, account) else { return nil }
    return post
  }

  /// One post, or nil where there is none or `account` may not see it.
  public func post(_ id: PostID, visibleTo account: AccountID) throws(StoreError) -> StoredPost? {
    try PostReader(database).post(id, visibleTo: account)
  }

  /// The post that a user means by `reference`: the store's number of it, or `source:id` with the source's own id or an
  /// alias (`twitter:20`, `mastodon:https://example.org/users/ann/statuses/1`). Nil where there is none that `account`
  /// may see.
  public func resolve(reference: String, visibleTo account: AccountID) throws(StoreError) -> PostID? {
    try PostReader(database).resolve(reference, visibleTo: account)
  }

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
    try PostReader(database).conversation(of: id, visibleTo: account, limit: limit)
  }

  /// At most `limit` entries with all that importing them again needs: native ids, aliases, reply keys, native
  /// JSON.
  ///
  /// A post that its source has yet to take is left out: it has no name there, and would come twice. Those that
  /// `account` may see; with `publicOnly` the public and unlisted ones alone. Originals that are entries themselves
  /// come twice, as themselves and within their reposts.
  public func exportPage(
    after id: PostID? = nil, limit: Int, visibleTo account: AccountID, publicOnly: Bool = false
  ) throws(StoreError) -> ExportPage {
    try ExportReader(database).page(after: id, limit: limit, visibleTo: account, publicOnly: publicOnly)
  }

  /// At most `limit` posts that `account` may see and that a query finds, newest first: those before `key`, or the
  /// newest. No reposts: what they repost is found itself, also where it came only inside of one.
  ///
  /// A search finds at most ``StoreLimits/searchHits`` posts, the newest, which is also the greatest total. Of authors
  /// with a handle that is searched for, the first ``StoreLimits/searchAuthors`` count. Costs what it hands out and
  /// counts, whatever others keep private.
  public func search(
    _ query: SearchQuery, for account: AccountID, before key: OrderKey? = nil, limit: Int
  ) throws(StoreError) -> PostPage {
    try SearchReader(database).search(query, for: account, before: key, limit: limit)
  }

  /// What an account is known not to have, the newest first. O(gaps).
  public func gaps(of account: AccountID) throws(StoreError) -> [Gap] { try GapReader(database).gaps(of: account) }

  /// All that an account wants of sources elsewhere and that those have not done, in order. At most
  /// ``StoreLimits/outboxEntries``.
  public func outbox(of account: AccountID) throws(StoreError) -> [WantedElsewhere] {
    try OutboxReader(database).wanted(by: account)
  }
}
