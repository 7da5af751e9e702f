internal import Posts

/// Creates lists of any kind and changes their authors. Entries are written by ``AuthorFiling``.
final class ListRows {
  private let connection: Connection
  private let transaction: Transaction
  private let lookup: ListLookup

  init(_ connection: Connection, _ transaction: Transaction, _ lookup: ListLookup) {
    (self.connection, self.transaction, self.lookup) = (connection, transaction, lookup)
  }

  /// Creates a list. Returns its ID, the column `lists.id`.
  func insert(
    _ kind: ListKind, account: AccountID? = nil, group: AudienceGroupID? = nil, name: SafeText = .empty
  ) throws(StoreError) -> Int64 {
    let number = try connection.insert(ListQuery.insert, kind, account, group, name)
    transaction.noteChange()
    switch kind {
    case .home, .mentions, .messages: lookup.forgetOwn()
    case .direct, .made: break
    }
    return number
  }

  /// Adds an author to a list.
  func add(_ author: AuthorID, to list: Int64) throws(StoreError) {
    try connection.run(ListQuery.insertAuthor, list, author)
    transaction.noteChange()
    lookup.forgetPlaces(of: author)
  }

  /// Removes an author from a list.
  func remove(_ author: AuthorID, from list: Int64) throws(StoreError) {
    try connection.run(ListQuery.deleteAuthor, list, author)
    transaction.noteChange()
    lookup.forgetPlaces(of: author)
  }
}
