public import Posts
public import Search

extension StoreReader {
  /// Returns the post that an earlier command with this request ID deleted; the post may have been restored.
  public func post(deletedBy requestID: String, _ account: AccountID) throws(StoreError) -> PostID? {
    guard case .deletion(let post) = try RequestLog(database).record(for: requestID, account) else { return nil }
    return post
  }

  /// Returns a post; nil if there is none or `account` may not see it.
  public func post(_ id: PostID, visibleTo account: AccountID) throws(StoreError) -> StoredPost? {
    try PostReader(database).post(id, visibleTo: account)
  }

  /// Returns the post that a user means by `reference`: the store's ID, or `source:id` with the source's own ID or an
  /// alias (`twitter:20`, `mastodon:https://example.org/users/ann/statuses/1`). Nil if there is none that `account` may
  /// see.
  public func resolve(reference: String, visibleTo account: AccountID) throws(StoreError) -> PostID? {
    try PostReader(database).resolve(reference, visibleTo: account)
  }

  /// Returns the limits of a post that an account would write for a source or, without one, as a reply to the post that
  /// `parent` names; nil if the account's own limit applies. `upstreams` are the sources with a program.
  public func postLimits(
    of account: AccountID, for source: String, replyingTo parent: String, upstreams: Set<String>
  ) throws(StoreError) -> PostLimits? {
    let reader = PostReader(database)
    let post: StoredPost? =
      if let id = try reader.resolve(parent, visibleTo: account) {
        try reader.subject(of: id, visibleTo: account)
      } else {
        nil
      }
    return try LoginLimits(database).limits(of: account, for: source, replyingTo: post, upstreams: upstreams)
  }

  /// Returns the limits of a text that an account would give the post that `reference` names, nil if the account's own
  /// limit applies, and the content warning that counts with it; or why the account may not edit the post.
  public func editLimits(
    of account: AccountID, for reference: String
  ) throws(StoreError) -> Result<(limits: PostLimits?, warning: SafeText), Refusal> {
    let reader = PostReader(database)
    guard let id = try reader.resolve(reference, visibleTo: account),
      let post = try reader.subject(of: id, visibleTo: account), let source = try reader.name(of: post.id)?.source
    else { return .success((nil, .empty)) }
    guard post.owner == account, try AuthorReader(database).identities(of: account).contains(post.author) else {
      return .failure(.notOwnText(id))
    }
    let limits = try LoginLimits(database).limits(of: account, in: source)
    return .success((limits, post.body.unpacked()?.contentWarning ?? .empty))
  }

  /// Returns what a program is asked for posts that an account wants, or why it is not.
  public func fetch(_ wanted: WantedPosts, for account: AccountID) throws(StoreError) -> FoundFetch {
    try FetchReader(database).find(wanted, for: account)
  }

  /// Returns where the files of a new post of an account go.
  public func uploadDestination(source: String, parent: String, for account: AccountID) throws(StoreError)
    -> UploadDestination
  {
    try FetchReader(database).uploadDestination(source: source, parent: parent, for: account)
  }

  /// Returns the conversation of a post: its ancestors up to the first post, the post, and its descendants. For a
  /// repost, returns the conversation of its original.
  ///
  /// Ordered by instant, then by ID. Contains only posts that `account` may see and that are connected through such
  /// posts. At most `limit` posts (and at most ``StoreLimits/conversationPosts``): the nearest ancestors, in at most
  /// half of the limit, then the nearest replies. Replies that form a ring, as in a forged file, end it. Empty if there
  /// is no such post.
  public func conversation(
    of id: PostID, visibleTo account: AccountID, limit: Int = StoreLimits.conversationPosts
  ) throws(StoreError) -> [StoredPost] {
    try PostReader(database).conversation(of: id, visibleTo: account, limit: limit)
  }

  /// Returns at most `limit` entries with everything that importing them again needs: native IDs, aliases, reply keys,
  /// native JSON. Oldest first, each page after the key that the one before gave as its next.
  ///
  /// Only entries that `account` may see; with `publicOnly`, only public and unlisted ones. A post that its source has
  /// not confirmed is left out: it has no name there yet, and would be imported twice. Originals that are entries
  /// themselves come twice, by themselves and within their reposts.
  public func exportPage(
    after key: OrderKey? = nil, limit: Int, visibleTo account: AccountID, publicOnly: Bool = false
  ) throws(StoreError) -> ExportPage {
    try ExportReader(database).page(after: key, limit: limit, visibleTo: account, publicOnly: publicOnly)
  }

  /// Returns what is known about a post; nil if there is none that the account may see.
  public func details(of post: PostID, for account: AccountID) throws(StoreError) -> PostDetails? {
    try PostDetailsReader(database).details(of: post, for: account)
  }

  /// Returns the imports of an account that can be taken back, or those of all accounts; newest first.
  public func imports(of account: AccountID?) throws(StoreError) -> [StoredImport] {
    try ImportRunReader(database).imports(of: account)
  }

  /// Returns at most `limit` posts that `account` may see and that match a query, newest first: those before `key`, or
  /// the newest. Reposts are not found; their originals are, even those that only came inside a repost.
  ///
  /// A search finds at most ``StoreLimits/searchHits`` posts, the newest, which is also the greatest total. Of the
  /// authors with a handle in the query, the first ``StoreLimits/searchAuthors`` count. Costs time proportional to the
  /// hits returned and counted, whatever other accounts keep private.
  public func search(
    _ query: SearchQuery, for account: AccountID, before key: OrderKey? = nil, limit: Int
  ) throws(StoreError) -> PostPage {
    try SearchReader(database).search(query, for: account, before: key, limit: limit)
  }

  /// Returns the gaps of an account, newest first. O(gaps).
  public func gaps(of account: AccountID) throws(StoreError) -> [Gap] { try GapReader(database).gaps(of: account) }

  /// Returns all actions of an account that wait for their source, in order. At most ``StoreLimits/outboxEntries``.
  public func outbox(of account: AccountID) throws(StoreError) -> [WantedElsewhere] {
    try OutboxReader(database).items(of: account)
  }
}
