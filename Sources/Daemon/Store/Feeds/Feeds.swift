internal import Posts

/// Subscribes to feeds and changes them.
final class Feeds {
  private let connection: Connection
  private let transaction: Transaction
  private let reader: FeedReader
  private let sources: Sources
  private let authors: Authors
  private let feedAuthors: FeedAuthors
  private let following: Following
  private let filing: Filing
  private let twins: FeedTwins

  init(
    _ connection: Connection, _ transaction: Transaction, sources: Sources, authors: Authors, feedAuthors: FeedAuthors,
    following: Following, filing: Filing, twins: FeedTwins
  ) {
    (self.connection, self.transaction) = (connection, transaction)
    reader = FeedReader(connection)
    (self.sources, self.authors, self.feedAuthors, self.following) = (sources, authors, feedAuthors, following)
    (self.filing, self.twins) = (filing, twins)
  }

  /// Subscribes an account to a feed. One that is everybody's is stored once.
  func add(_ new: NewFeed) throws -> ListedFeed {
    _ = try AccountReader(connection).existing(new.account)
    try Refusal.checkName(new.url, "the address", limit: StoreLimits.feedURLBytes)
    if !new.title.isEmpty { try Self.checkTitle(new.title) }
    guard new.attributes.count <= StoreLimits.feedAttributeBytes else {
      throw Refusal.tooLong("the attributes", limit: StoreLimits.feedAttributeBytes)
    }
    let scope = new.isPrivate ? new.account.rawValue : 0
    let known = try connection.first(FeedQuery.byAddress, new.url, scope, read: StoredFeed.init(row:))
    if known == nil {
      try following.checkRoom(of: new.account)
      try feedAuthors.checkRoom(addedBy: new.account)
    }
    var feed = if let known { known } else { try insert(new, scope: scope) }
    try following.subscribe(new.account, to: feed.author)
    if !new.title.isEmpty, feed.title != new.title, feed.account == new.account {
      feed = try set(FeedChange(feed: feed.number, account: new.account, title: new.title)).feed
    }
    if !new.attributes.isEmpty {
      try connection.run(FeedQuery.saveAttributes, new.account, feed.number, new.attributes)
    }
    transaction.noteFeed(feed.number)
    return try reader.listed(feed, for: new.account)
  }

  private func insert(_ new: NewFeed, scope: Int64) throws -> StoredFeed {
    let source = try sources.number(of: StoredFeed.source)
    var number = try connection.number(FeedQuery.last).map { $0 + 1 } ?? 1
    // Before files were kept out of this source, they could bring authors with numbers of feeds.
    while try authors.find(AuthorKey(source: source, nativeID: "f\(number)")) != nil { number += 1 }
    let imported = ImportedAuthor(nativeID: "f\(number)", handle: new.host, displayName: new.host)
    let author = try authors.upsert(imported, source: source, by: new.account)
    let feed = StoredFeed(
      number: number, url: new.url, account: new.account, author: author.author.id, isPrivate: new.isPrivate,
      title: .empty, intervalMinutes: 0, liftsEdited: false, showsTwice: false)
    try connection.run(FeedQuery.insert, number, feed.url, feed.account, feed.author, scope, feed.title)
    try feedAuthors.insert(feed.author, number: number)
    transaction.noteChange()
    return feed
  }

  /// Changes a feed.
  func set(_ change: FeedChange) throws -> ListedFeed {
    var feed = try existing(change.feed, for: change.account)
    guard change.account == nil || change.account == feed.account else { throw Refusal.notOwnFeed(feed.number) }
    let former = feed
    if let url = change.url, url != feed.url {
      guard feed.isPrivate || !change.isSecretURL else { throw Refusal.secretAddress(feed.number) }
      try Refusal.checkName(url, "the address", limit: StoreLimits.feedURLBytes)
      try move(&feed, to: url)
    }
    if let title = change.title {
      if !title.isEmpty { try Self.checkTitle(title) }
      feed.title = title
    }
    if let minutes = change.intervalMinutes {
      guard minutes == 0 || StoreLimits.feedIntervals.contains(minutes) else { throw Refusal.unusableInterval(minutes) }
      feed.intervalMinutes = minutes
    }
    feed.liftsEdited = change.liftsEdited ?? feed.liftsEdited
    feed.showsTwice = change.showsTwice ?? feed.showsTwice
    if let rule = change.rule {
      try rule.save(for: try sources.number(of: StoredFeed.source), feed: feed.number, to: connection)
    }
    if feed.url != former.url {
      // What was true of the old address is not of the new one.
      try connection.run(UpstreamQuery.deleteCursors, try sources.number(of: StoredFeed.source), feed.name)
    }
    if change.title != nil { try name(feed, feed.title) }
    let formerTwins = try feed.showsTwice ? twins.pairs(of: feed.author) : []
    try save(feed)
    if feed.showsTwice != former.showsTwice {
      try twins.setLinks(of: feed, areKept: !feed.showsTwice)
      let pairs = try formerTwins + twins.pairs(of: feed.author)
      try filing.refile(pairs.map { $0.own })
      try filing.refile(pairs.map { $0.twin })
    }
    return try reader.listed(feed, for: change.account)
  }

  /// Records the address to which a feed has moved, as its program says.
  func move(_ feed: StoredFeed, to url: String) throws {
    var moved = feed
    try move(&moved, to: url)
    try save(moved)
  }

  /// Unsubscribes an account from a feed. Its posts stay.
  func remove(_ number: Int64, from account: AccountID) throws -> ListedFeed {
    let feed = try existing(number, for: account)
    try following.unfollow(account, feed.author)
    let listed = try reader.listed(feed, for: account)
    try connection.run(FeedQuery.deleteAttributes, account, feed.number)
    return listed
  }

  /// Forgets how far feeds have been read: all, or those that an account has added first. Their programs begin again.
  func forgetCursors(addedBy account: AccountID?) throws(StoreError) {
    let source = try sources.number(of: StoredFeed.source)
    var forgotten: [Int64] = []
    for name in try connection.rows(FeedQuery.withCursors, source, read: { $0.text(0) }) {
      guard let number = StoredFeed.number(in: name), let feed = try reader.feed(number),
        account == nil || account == feed.account
      else { continue }
      try connection.run(UpstreamQuery.deleteCursors, source, name)
      forgotten.append(number)
    }
    transaction.noteRestarted(forgotten)
  }

  // MARK: Parts

  private static func checkTitle(_ title: SafeText) throws(Refusal) {
    try Refusal.checkName(title.string, "the title", limit: StoreLimits.displayNameBytes)
  }

  private func existing(_ number: Int64, for account: AccountID?) throws -> StoredFeed {
    guard let feed = try reader.feed(number) else { throw Refusal.noSuchFeed(number) }
    if let account {
      guard !feed.isPrivate || feed.account == account, try following.isFollowed(feed.author, by: account) else {
        throw Refusal.noSuchFeed(number)
      }
    }
    return feed
  }

  private func move(_ feed: inout StoredFeed, to url: String) throws {
    let scope = feed.isPrivate ? feed.account.rawValue : 0
    if let other = try connection.first(FeedQuery.byAddress, url, scope, read: StoredFeed.init(row:)),
      other.number != feed.number
    {
      throw Refusal.feedTaken(other.number)
    }
    feed.url = url
  }

  private func save(_ feed: StoredFeed) throws(StoreError) {
    try connection.run(
      FeedQuery.update, feed.number, feed.url, feed.title, feed.intervalMinutes, feed.liftsEdited,
      feed.showsTwice)
    transaction.noteChange()
    transaction.noteFeed(feed.number)
  }

  private func name(_ feed: StoredFeed, _ title: SafeText) throws(StoreError) {
    let imported = ImportedAuthor(nativeID: feed.name, handle: .empty, displayName: title)
    _ = try authors.upsert(imported, source: try sources.number(of: StoredFeed.source), by: feed.account)
  }
}
