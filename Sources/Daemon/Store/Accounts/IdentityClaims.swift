internal import Posts

/// Claims authors for accounts. The identities of an account decide which posts mention it and which are its own, so a
/// change refiles stored posts. Claims are rare; they cost time proportional to the sources in which the account has an
/// identity.
final class IdentityClaims {
  private let connection: Connection
  private let transaction: Transaction
  private let identities: IdentityLookup
  private let renames: RenamedAccounts
  private let lists: ListLookup
  private let mutes: MuteRows
  private let filing: AuthorFiling

  init(
    _ connection: Connection, _ transaction: Transaction, identities: IdentityLookup, renames: RenamedAccounts,
    lists: ListLookup, mutes: MuteRows, filing: AuthorFiling
  ) {
    (self.connection, self.transaction, self.identities, self.renames) = (connection, transaction, identities, renames)
    (self.lists, self.mutes, self.filing) = (lists, mutes, filing)
  }

  /// Claims an author for an account.
  func claim(_ author: AuthorID, for account: AccountID) throws(StoreError) {
    guard try connection.change(IdentityQuery.claim, account, author) else { return }
    transaction.noteChange()
    identities.forget()
    lists.forgetPlaces(of: author)
    renames.insert([account])
    try mutes.forget(author, of: account)
    try filing.file(author, in: try lists.home(of: account, for: .own))
  }

  /// Recomputes the mentions of all accounts whose names or identities changed.
  func renewMentions() throws(StoreError) {
    for account in renames.accounts.sorted(by: { $0.rawValue < $1.rawValue }) { try renewMentions(of: account) }
  }

  private func renewMentions(of account: AccountID) throws(StoreError) {
    guard let list = try lists.own(of: account)?.mentions else { return }
    // The sources in which the account has an identity, including ``LocalSource``.
    let sources = Set(try connection.rows(IdentityQuery.sources, account) { $0.integer(0) }).sorted()
    try filing.renewMentions(of: account, in: list, sources)
  }
}
