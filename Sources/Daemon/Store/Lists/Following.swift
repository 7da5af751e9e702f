internal import Posts

/// Whom an account follows is who its home list is of. Following an account's own author also means to be in the circle
/// that it writes for when it writes for its followers.
struct Following {
  private let accounts: AccountReader
  private let knownAuthors: AuthorReader
  private let lists: ListReader
  private let authors: Authors
  private let lookup: ListLookup
  private let rows: ListRows
  private let circles: Circles
  private let mutes: MuteRows
  private let filing: Filing
  private let authorFiling: AuthorFiling
  private let keeping: KeptPosts
  private let undo: UndoLog

  init(
    _ connection: Connection, authors: Authors, lookup: ListLookup, rows: ListRows, circles: Circles, mutes: MuteRows,
    filing: Filing, authorFiling: AuthorFiling, keeping: KeptPosts, undo: UndoLog
  ) {
    accounts = AccountReader(connection)
    knownAuthors = AuthorReader(connection)
    lists = ListReader(connection)
    (self.authors, self.lookup, self.rows, self.circles, self.mutes) = (authors, lookup, rows, circles, mutes)
    (self.filing, self.authorFiling, self.keeping, self.undo) = (filing, authorFiling, keeping, undo)
  }

  /// Follows an author; to follow again changes nothing.
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
    try follow(account, author, leader, home)
    try undo.record(.follow(author, isOn: true), of: id)
  }

  /// Follows an author no longer; to follow nobody less changes nothing.
  func unfollow(_ id: AccountID, _ author: AuthorID) throws {
    _ = try accounts.existing(id)
    let home = try lookup.home(of: id, for: .author)
    guard try lists.isAuthor(author, of: home.list) else { return }
    try rows.remove(author, from: home.list)
    try authorFiling.unfile(author, from: home)
    if let leader = try accounts.account(writingAs: author) {
      for (circle, keeper) in try circles.ofFollowers(leader.id) where keeper != id {
        if keeper == leader.id { try keeping.keepOwn(of: id, from: circle, of: leader) }
        try circles.leave(id, circle)
        try filing.refile(circle, for: id)
      }
    }
    try undo.record(.follow(author, isOn: false), of: id)
  }

  /// Whether an account follows an author.
  func isFollowed(_ author: AuthorID, by account: AccountID) throws(StoreError) -> Bool {
    try lists.isAuthor(author, of: try lookup.home(of: account, for: .author).list)
  }

  /// Has a new account follow those that are here, and them follow it, as far as their lists have room.
  func introduce(_ new: Account) throws(StoreError) {
    let author = try authors.local(new.name).id
    for other in try accounts.accounts() where other.id != new.id {
      let otherAuthor = try authors.local(other.name).id
      for (follower, followed, leader) in [(new, otherAuthor, other), (other, author, new)] {
        let home = try lookup.home(of: follower.id, for: .author)
        guard try lists.authorCount(of: home.list) < StoreLimits.listAuthors,
          try !lists.isAuthor(followed, of: home.list)
        else { continue }
        try follow(follower, followed, leader, home)
      }
    }
  }

  private func follow(_ account: Account, _ author: AuthorID, _ leader: Account?, _ home: Place) throws(StoreError) {
    try rows.add(author, to: home.list)
    let joined = if let leader { try circles.ofFollowers(leader.id).map(\.circle) } else { [CircleID]() }
    for circle in joined { try circles.join(account.id, circle) }
    try authorFiling.file(author, in: home)
    for circle in joined { try filing.refile(circle, for: account.id) }
  }
}
