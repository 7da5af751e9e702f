internal import Posts

/// Who an account is decides what is a mention of it, and which posts are its own. When that changes, what is there
/// already is looked at again: rare, and in cost proportional to the sources that the account is somebody in.
struct Claims {
  private let connection: Connection
  private let transaction: Transaction
  private let identities: IdentityLookup
  private let renames: Renames
  private let lists: ListLookup
  private let mutes: MuteRows
  private let filing: AuthorFiling

  init(
    _ connection: Connection, _ transaction: Transaction, identities: IdentityLookup, renames: Renames,
    lists: ListLookup, mutes: MuteRows, filing: AuthorFiling
  ) {
    (self.connection, self.transaction, self.identities, self.renames) = (connection, transaction, identities, renames)
    (self.lists, self.mutes, self.filing) = (lists, mutes, filing)
  }

  /// Makes the account one with this author from now on.
  func claim(_ author: AuthorID, for account: AccountID) throws(StoreError) {
    guard try connection.change(IdentityQuery.claim, account, author) else { return }
    transaction.noteChange()
    identities.forget()
    lists.forgetPlaces(of: author)
    renames.insert([account])
    try mutes.forget(author, of: account)
    try filing.file(author, in: try lists.home(of: account, for: .own))
  }

  /// Finds the mentions of all accounts again that are called something else now.
  func renewMentions() throws(StoreError) {
    for account in renames.accounts.sorted(by: { $0.rawValue < $1.rawValue }) { try renewMentions(of: account) }
  }

  private func renewMentions(of account: AccountID) throws(StoreError) {
    guard let list = try lists.own(of: account)?.mentions else { return }
    // The sources in which an account is somebody, ``LocalSource`` among them.
    let sources = Set(try connection.rows(IdentityQuery.sources, account) { $0.integer(0) }).sorted()
    try filing.renewMentions(of: account, in: list, sources)
  }
}
