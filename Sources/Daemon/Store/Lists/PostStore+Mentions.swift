internal import Dates
internal import Posts

/// Who an account is decides what is a mention of it, and which posts are its own. When that changes, what is there
/// already is looked at again: rare, and in cost proportional to the sources that the account is somebody in.
extension PostStore {
  /// From now on the account is this author too.
  func claim(_ author: AuthorID, for account: AccountID) throws(StoreError) {
    let statement = try connection.statement(.claimIdentity)
    defer { statement.reset() }
    statement.bind(1, account.rawValue)
    statement.bind(2, author.rawValue)
    _ = try statement.step()
    guard connection.changes > 0 else { return }
    noteChange()
    lookups.identities = nil
    lookups.forget(author)
    transaction!.renamed.insert(account)
    try forgetQuiet(about: author, of: account)
    let home = Place(list: try ownLists()[account]!.home, name: .home(account), account: account, reason: .own)
    try file(author, in: home, .own)
  }

  /// Notes that an author is called something else now.
  func noteName(of author: AuthorID) throws(StoreError) {
    let accounts = try identities().accounts(of: author)
    if accounts.isEmpty { return }
    lookups.identities = nil
    transaction!.renamed.formUnion(accounts)
  }

  /// Finds all mentions of an account again.
  func findMentions(of account: AccountID) throws(StoreError) {
    guard let list = try ownLists()[account]?.mentions else { return }
    let identities = try identities()
    let deletion = try connection.statement(.deleteListEntries)
    defer { deletion.reset() }
    deletion.bind(1, list)
    _ = try deletion.step()
    let lost = connection.changes
    var found = 0
    let insertion = try connection.statement(.insertEntry)
    for source in try sourcesAbout(account).sorted() {
      let posts = try connection.statement(.listedFromSource)
      defer { posts.reset() }
      posts.bind(1, source)
      posts.bind(2, account.rawValue)
      while try posts.step() {
        let post = ListedPost(row: posts, identities)
        guard post.addressed.contains(account) else { continue }
        defer { insertion.reset() }
        insertion.bind(1, list)
        insertion.bind(2, post.createdAt.milliseconds)
        insertion.bind(3, post.id.rawValue)
        insertion.bind(4, 0)
        _ = try insertion.step()
        found += 1
      }
    }
    if lost == 0 && found == 0 { return }
    noteChange()
    transaction!.tallies[list, default: 0] += found - lost
    transaction!.changes.reload(.mentions(account))
  }

  /// The sources in which an account is somebody, ``localSource`` among them.
  private func sourcesAbout(_ account: AccountID) throws(StoreError) -> Set<Int64> {
    let statement = try connection.statement(.sourcesAbout)
    defer { statement.reset() }
    statement.bind(1, account.rawValue)
    var sources: Set<Int64> = []
    while try statement.step() { sources.insert(statement.integer(0)) }
    return sources
  }
}
