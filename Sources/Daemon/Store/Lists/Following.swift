internal import Posts

/// Follows and unfollows authors. The home list of an account has the authors it follows. Following an account's own
/// author also joins the audience group of that account's followers-only posts.
final class Following {
  private let accounts: AccountReader
  private let knownAuthors: AuthorReader
  private let lists: ListReader
  private let authors: Authors
  private let lookup: ListLookup
  private let rows: ListRows
  private let groups: AudienceGroups
  private let mutes: MuteRows
  private let filing: Filing
  private let authorFiling: AuthorFiling
  private let retainedPosts: RetainedPosts
  private let undo: UndoLog

  init(
    _ connection: Connection, authors: Authors, lookup: ListLookup, rows: ListRows, groups: AudienceGroups,
    mutes: MuteRows, filing: Filing, authorFiling: AuthorFiling, retainedPosts: RetainedPosts, undo: UndoLog
  ) {
    accounts = AccountReader(connection)
    knownAuthors = AuthorReader(connection)
    lists = ListReader(connection)
    (self.authors, self.lookup, self.rows, self.groups, self.mutes) = (authors, lookup, rows, groups, mutes)
    (self.filing, self.authorFiling, self.retainedPosts, self.undo) = (filing, authorFiling, retainedPosts, undo)
  }

  /// Follows an author; does nothing if already followed.
  func follow(_ id: AccountID, _ author: AuthorID) throws {
    let account = try accounts.existing(id)
    try knownAuthors.check(author, for: id)
    let leader = try accounts.account(writingAs: author)
    if leader?.id == id { throw Refusal.ownAuthor }
    let home = try lookup.home(of: id, for: .author)
    guard try !lists.isAuthor(author, of: home.list) else { return }
    try mutes.checkBlocks(of: author, for: id)
    guard try lists.authorCount(of: home.list) < StoreLimits.listAuthors else {
      throw Refusal.tooMany("followed authors", limit: StoreLimits.listAuthors)
    }
    try startFollowing(account, author, leader, home)
    try undo.record(.follow(author, isOn: true), of: id)
  }

  /// Unfollows an author; does nothing if not followed.
  func unfollow(_ id: AccountID, _ author: AuthorID) throws {
    _ = try accounts.existing(id)
    let home = try lookup.home(of: id, for: .author)
    guard try lists.isAuthor(author, of: home.list) else { return }
    try rows.remove(author, from: home.list)
    try authorFiling.unfile(author, from: home)
    if let leader = try accounts.account(writingAs: author) {
      for (group, writer) in try groups.ofFollowers(leader.id) where writer != id {
        if writer == leader.id { try retainedPosts.retainPosts(by: id, in: group, of: leader) }
        try groups.leave(id, group)
        try filing.refile(group, for: id)
      }
    }
    try undo.record(.follow(author, isOn: false), of: id)
  }

  /// Returns true if an account follows an author.
  func isFollowed(_ author: AuthorID, by account: AccountID) throws(StoreError) -> Bool {
    try lists.isAuthor(author, of: try lookup.home(of: account, for: .author).list)
  }

  /// Makes a new account and the existing ones follow each other, as far as their lists have room.
  func introduce(_ new: Account) throws(StoreError) {
    let author = try authors.local(new.name).id
    for other in try accounts.accounts() where other.id != new.id {
      let otherAuthor = try authors.local(other.name).id
      for (follower, followed, leader) in [(new, otherAuthor, other), (other, author, new)] {
        let home = try lookup.home(of: follower.id, for: .author)
        guard try lists.authorCount(of: home.list) < StoreLimits.listAuthors,
          try !lists.isAuthor(followed, of: home.list)
        else { continue }
        try startFollowing(follower, followed, leader, home)
      }
    }
  }

  private func startFollowing(_ account: Account, _ author: AuthorID, _ leader: Account?, _ home: Place)
    throws(StoreError)
  {
    try rows.add(author, to: home.list)
    let joined = if let leader { try groups.ofFollowers(leader.id).map(\.group) } else { [AudienceGroupID]() }
    for group in joined { try groups.join(account.id, group) }
    try authorFiling.file(author, in: home)
    for group in joined { try filing.refile(group, for: account.id) }
  }
}
