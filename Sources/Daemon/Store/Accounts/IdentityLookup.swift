internal import Posts

/// Who is who, remembered by the writer from one transaction to the next.
final class IdentityLookup {
  private let connection: Connection
  private var known: Identities?

  init(_ connection: Connection) { self.connection = connection }

  /// All identities; read on first use.
  func all() throws(StoreError) -> Identities {
    if let known { return known }
    let identities = try Identities(of: connection)
    known = identities
    return identities
  }

  /// The accounts that are `author`.
  func accounts(of author: AuthorID) throws(StoreError) -> [AccountID] { try all().accounts(of: author) }

  /// Whether other accounts have claimed an author, and this one has not.
  func belongsToAnother(_ author: AuthorID, than account: AccountID) throws(StoreError) -> Bool {
    let accounts = try accounts(of: author)
    return !accounts.isEmpty && !accounts.contains(account)
  }

  /// Has them read again.
  func forget() { known = nil }
}
