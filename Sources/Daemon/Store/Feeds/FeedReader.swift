internal import Posts

/// Reads feeds.
struct FeedReader {
  private let connection: Connection

  init(_ connection: Connection) { self.connection = connection }

  /// Returns the feed with this number; nil if there is none.
  func feed(_ number: Int64) throws(StoreError) -> StoredFeed? {
    try connection.first(FeedQuery.byNumber, number, read: StoredFeed.init(row:))
  }

  /// Returns the feeds that an account follows, or those that anybody does; in the order in which they were added.
  func feeds(followedBy account: AccountID?) throws(StoreError) -> [ListedFeed] {
    var feeds =
      if let account {
        try connection.rows(FeedQuery.followedBy, account, read: StoredFeed.init(row:))
      } else {
        try connection.rows(FeedQuery.followed, read: StoredFeed.init(row:))
      }
    feeds.sort { $0.number < $1.number }
    var listed: [ListedFeed] = []
    for feed in feeds { listed.append(try self.listed(feed)) }
    return listed
  }

  /// Returns a feed as it is shown.
  func listed(_ feed: StoredFeed) throws(StoreError) -> ListedFeed {
    guard let author = try AuthorReader(connection).author(feed.author),
      let account = try AccountReader(connection).account(feed.account)
    else {
      throw StoreError(
        kind: .corrupt, message: "the store \(connection.path) is missing an author of a feed; restore a backup")
    }
    let kept = try RetentionReader(connection).feed(feed.number)
    return ListedFeed(
      feed: feed, author: author, account: account.name, rule: kept.rule, hasOwnRule: kept.isOwn, removed: kept.removed)
  }

  /// Returns the feeds that anybody follows, for their program. Cursors are read of those that differ from `known`, by
  /// name.
  func told(knowing known: [String: UpstreamFeed]) throws(StoreError) -> [ToldFeed] {
    guard let source = try connection.number(SourceQuery.find, StoredFeed.source) else { return [] }
    var told: [ToldFeed] = []
    for feed in try connection.rows(FeedQuery.followed, read: StoredFeed.init(row:)) {
      let isKnown = known[feed.name]?.url == feed.url
      let cursors = isKnown ? [:] : try Cursors(connection).cursors(of: .feed(feed.name), at: source)
      told.append(ToldFeed(feed: feed.told, cursors: cursors))
    }
    return told
  }
}

extension StoredFeed {
  /// Reads the columns of ``FeedQuery``.
  init(row: Statement) {
    self.init(
      number: row.integer(0), url: row.text(1), account: AccountID(row.integer(2)), author: AuthorID(row.integer(3)),
      isPrivate: row.integer(4) != 0, title: SafeText(trusted: row.bytes(5)), intervalMinutes: Int(row.integer(6)),
      liftsEdited: row.integer(7) != 0)
  }
}
