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
  func feeds(followedBy account: AccountID?) throws(StoreError) -> [StoredFeed] {
    guard let account else { return try connection.rows(FeedQuery.followed, 0, -1, read: StoredFeed.init(row:)) }
    return try connection.rows(FeedQuery.followedBy, account, read: StoredFeed.init(row:))
      .sorted { $0.number < $1.number }
  }

  /// Returns those of these feeds that an account follows, in the order in which they were added.
  func feeds(_ numbers: Set<Int64>, followedBy account: AccountID) throws(StoreError) -> [StoredFeed] {
    var feeds: [StoredFeed] = []
    for number in numbers.sorted() {
      if let feed = try connection.first(FeedQuery.ifFollowedBy, number, account, read: StoredFeed.init(row:)) {
        feeds.append(feed)
      }
    }
    return feeds
  }

  /// Returns feeds as they are shown to an account; nil for an administrator.
  func listed(_ feeds: [StoredFeed], for account: AccountID?) throws(StoreError) -> [ListedFeed] {
    var names: [AccountID: String] = [:]
    var listed: [ListedFeed] = []
    for feed in feeds {
      var name = names[feed.account]
      if name == nil { name = try AccountReader(connection).account(feed.account)?.name }
      guard let name, let author = try AuthorReader(connection).author(feed.author) else {
        throw StoreError(
          kind: .corrupt, message: "the store \(connection.path) is missing an author of a feed; restore a backup")
      }
      names[feed.account] = name
      let kept = try RetentionReader(connection).feed(feed.number)
      var attributes: SafeText?
      if let account {
        attributes = try connection.first(FeedQuery.attributes, account, feed.number) {
          SafeText(trusted: $0.bytes(0))
        }
      }
      listed.append(
        ListedFeed(
          feed: feed, author: author, account: name, rule: kept.rule, hasOwnRule: kept.isOwn, removed: kept.removed,
          attributes: attributes ?? .empty))
    }
    return listed
  }

  /// Returns a feed as it is shown to an account; nil for an administrator.
  func listed(_ feed: StoredFeed, for account: AccountID?) throws(StoreError) -> ListedFeed {
    try listed([feed], for: account)[0]
  }

  /// Returns some of the feeds that anybody follows, for their program. Cursors are read of those that differ from
  /// `known`, by name.
  func told(_ selection: FeedSelection, knowing known: [String: UpstreamFeed]) throws(StoreError) -> [ToldFeed] {
    guard let source = try connection.number(SourceQuery.find, StoredFeed.source) else { return [] }
    var feeds: [StoredFeed] = []
    switch selection {
    case .page(let number, let limit):
      feeds = try connection.rows(FeedQuery.followed, number, limit, read: StoredFeed.init(row:))
    case .numbers(let numbers):
      for number in numbers {
        if let feed = try connection.first(FeedQuery.ifFollowed, number, read: StoredFeed.init(row:)) {
          feeds.append(feed)
        }
      }
    }
    var told: [ToldFeed] = []
    for feed in feeds {
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
      liftsEdited: row.integer(7) != 0, showsTwice: row.integer(8) != 0)
  }
}
