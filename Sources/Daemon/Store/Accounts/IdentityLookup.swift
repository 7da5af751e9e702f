internal import Posts

/// Caches ``Identities`` across the writer's transactions.
final class IdentityLookup {
  private let connection: Connection
  private var known: Identities?

  init(_ connection: Connection) { self.connection = connection }

  /// Returns all identities; read on first use.
  func all() throws(StoreError) -> Identities {
    if let known { return known }
    let identities = try Identities(of: connection)
    known = identities
    return identities
  }

  /// Returns the accounts that have claimed `author`.
  func accounts(of author: AuthorID) throws(StoreError) -> [AccountID] { try all().accounts(of: author) }

  /// Returns true if other accounts have claimed an author and this one has not.
  func belongsToAnother(_ author: AuthorID, than account: AccountID) throws(StoreError) -> Bool {
    let accounts = try accounts(of: author)
    return !accounts.isEmpty && !accounts.contains(account)
  }

  /// Drops the cached identities.
  func forget() { known = nil }
}
