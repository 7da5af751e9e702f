internal import Dates
internal import Posts
internal import ViewState

/// Follows and unfollows authors. The home list of an account has the authors it follows. Following an account's own
/// author also joins the audience group of that account's followers-only posts.
final class Following {
  private let transaction: Transaction
  private let accounts: AccountReader
  private let knownAuthors: AuthorReader
  private let lists: ListReader
  private let authors: Authors
  private let lookup: ListLookup
  private let rows: ListRows
  private let groups: AudienceGroups
  private let mutes: MuteRows
  private let setting: FollowSetting
  private let requests: FollowRequests
  private let feedAuthors: FeedAuthors
  private let filing: Filing
  private let authorFiling: AuthorFiling
  private let retainedPosts: RetainedPosts
  private let undo: UndoLog

  init(
    _ connection: Connection, _ transaction: Transaction, authors: Authors, lookup: ListLookup, rows: ListRows,
    groups: AudienceGroups, mutes: MuteRows, requests: FollowRequests, feedAuthors: FeedAuthors, filing: Filing,
    authorFiling: AuthorFiling, retainedPosts: RetainedPosts, undo: UndoLog
  ) {
    (self.transaction, self.feedAuthors) = (transaction, feedAuthors)
    accounts = AccountReader(connection)
    knownAuthors = AuthorReader(connection)
    lists = ListReader(connection)
    setting = FollowSetting(connection)
    (self.authors, self.lookup, self.rows, self.groups, self.mutes) = (authors, lookup, rows, groups, mutes)
    self.requests = requests
    (self.filing, self.authorFiling, self.retainedPosts, self.undo) = (filing, authorFiling, retainedPosts, undo)
  }

  /// Follows an author, or asks to: in an `ask` store an account of this daemon decides who follows it. Imported authors
  /// are followed at once, claimed ones too: their posts for followers are only for the account that imported them.
  /// Does nothing if already followed or asked. Returns false if the author has been asked.
  func follow(_ id: AccountID, _ author: AuthorID, at instant: Instant) throws -> Bool {
    let account = try accounts.existing(id)
    try knownAuthors.check(author, for: id)
    let leader = try accounts.account(writingAs: author)
    if leader?.id == id { throw Refusal.ownAuthor }
    let home = try lookup.home(of: id, for: .author)
    guard try !lists.isAuthor(author, of: home.list) else { return true }
    try mutes.checkBlocks(of: author, for: id)
    try checkRoom(home)
    try feedAuthors.checkRoom(toFollow: author)
    if let leader, try setting.policy() == .ask {
      guard try requests.open(from: id, to: leader.id, at: instant) else { return false }
      try undo.record(.follow(author, isOn: true), of: id)
      return false
    }
    try start(account, author, leader, home)
    try undo.record(.follow(author, isOn: true), of: id)
    return true
  }

  /// Unfollows an author, or withdraws the request to follow it; does nothing if neither followed nor asked.
  func unfollow(_ id: AccountID, _ author: AuthorID) throws {
    _ = try accounts.existing(id)
    let home = try lookup.home(of: id, for: .author)
    let leader = try accounts.account(writingAs: author)
    guard try lists.isAuthor(author, of: home.list) else {
      guard let leader, try requests.close(from: id, to: leader.id) else { return }
      try undo.record(.follow(author, isOn: false), of: id)
      return
    }
    try rows.remove(author, from: home.list)
    try noteFeed(author)
    try authorFiling.unfile(author, from: home)
    if let leader {
      for (group, writer) in try groups.ofFollowers(leader.id) where writer != id {
        if writer == leader.id { try retainedPosts.retainPosts(by: id, in: group, of: leader) }
        try groups.leave(id, group)
        try filing.refile(group, for: id)
      }
    }
    try undo.record(.follow(author, isOn: false), of: id)
  }

  /// Lets an account follow a feed, of which it may not have seen a post yet.
  func subscribe(_ id: AccountID, to author: AuthorID) throws {
    guard try !isFollowed(author, by: id) else { return }
    let home = try lookup.home(of: id, for: .author)
    try checkRoom(home)
    try feedAuthors.checkRoom(toFollow: author)
    try start(try accounts.existing(id), author, nil, home)
    try undo.record(.follow(author, isOn: true), of: id)
  }

  /// Returns true if an account follows an author.
  func isFollowed(_ author: AuthorID, by account: AccountID) throws(StoreError) -> Bool {
    try lists.isAuthor(author, of: try lookup.home(of: account, for: .author).list)
  }

  /// Lets an account follow another account's own author, which has approved it.
  func startFollowing(_ account: Account, _ author: AuthorID) throws {
    let home = try lookup.home(of: account.id, for: .author)
    try checkRoom(home)
    try start(account, author, try accounts.account(writingAs: author), home)
  }

  /// Refuses if an account follows as many authors as it may.
  func checkRoom(of account: AccountID) throws { try checkRoom(try lookup.home(of: account, for: .author)) }

  private func checkRoom(_ home: Place) throws {
    guard try lists.authorCount(of: home.list) < StoreLimits.listAuthors else {
      throw Refusal.tooMany("followed authors", limit: StoreLimits.listAuthors)
    }
  }

  /// Makes a new account and the existing ones follow each other, as far as their lists have room. Only for `open`
  /// stores: introducing n accounts costs n² follows, an `ask` store none.
  func introduce(_ new: Account) throws(StoreError) {
    let author = try authors.local(new.name).id
    for other in try accounts.accounts() where other.id != new.id {
      let otherAuthor = try authors.local(other.name).id
      for (follower, followed, leader) in [(new, otherAuthor, other), (other, author, new)] {
        let home = try lookup.home(of: follower.id, for: .author)
        guard try lists.authorCount(of: home.list) < StoreLimits.listAuthors,
          try !lists.isAuthor(followed, of: home.list)
        else { continue }
        try start(follower, followed, leader, home)
      }
    }
  }

  private func start(_ account: Account, _ author: AuthorID, _ leader: Account?, _ home: Place) throws(StoreError) {
    // Also one from the time when the store was an `ask` store.
    if let leader { try requests.close(from: account.id, to: leader.id) }
    try rows.add(author, to: home.list)
    try noteFeed(author)
    let joined = if let leader { try groups.ofFollowers(leader.id).map(\.group) } else { [AudienceGroupID]() }
    for group in joined { try groups.join(account.id, group) }
    try authorFiling.file(author, in: home)
    for group in joined { try filing.refile(group, for: account.id) }
  }

  /// Records that a feed was followed or unfollowed, if an author is one.
  private func noteFeed(_ author: AuthorID) throws(StoreError) {
    guard let feed = try feedAuthors.number(of: author) else { return }
    try feedAuthors.followersChanged(of: feed)
    transaction.noteFeed(feed)
  }
}
