internal import Posts

/// Makes lists of any kind and changes whose posts go into them; entries are another matter (``AuthorFiling``).
struct ListRows {
  private let connection: Connection
  private let transaction: Transaction
  private let lookup: ListLookup

  init(_ connection: Connection, _ transaction: Transaction, _ lookup: ListLookup) {
    (self.connection, self.transaction, self.lookup) = (connection, transaction, lookup)
  }

  /// Makes a list. Returns its number, the column `lists.id`.
  func insert(
    _ kind: ListKind, account: AccountID? = nil, circle: CircleID? = nil, name: SafeText = .empty
  ) throws(StoreError) -> Int64 {
    let number = try connection.insert(ListQuery.insert, kind, account, circle, name)
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

  /// Takes an author out of a list.
  func remove(_ author: AuthorID, from list: Int64) throws(StoreError) {
    try connection.run(ListQuery.deleteAuthor, list, author)
    transaction.noteChange()
    lookup.forgetPlaces(of: author)
  }
}
