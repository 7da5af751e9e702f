public import Posts

extension StoreReader {
  /// The authors with these numbers, in the order asked for; a number that nobody has is left out.
  public func authors(_ ids: some Sequence<AuthorID>) throws(StoreError) -> [Author] {
    let statement = try connection.statement(.author)
    var authors: [Author] = []
    for id in ids {
      defer { statement.reset() }
      statement.bind(1, id.rawValue)
      if try statement.step() { authors.append(Author(row: statement)) }
    }
    return authors
  }

  /// The authors that `account` has claimed to be, its own first author included; in the order of their numbers.
  public func identities(of account: AccountID) throws(StoreError) -> [AuthorID] {
    let statement = try connection.statement(.identities)
    defer { statement.reset() }
    statement.bind(1, account.rawValue)
    var ids: [AuthorID] = []
    while try statement.step() { ids.append(AuthorID(statement.integer(0))) }
    return ids
  }
}

extension Author {
  /// Reads id, handle, display name and avatar URL from the first four columns.
  init(row: Statement) {
    self.init(
      id: AuthorID(row.integer(0)), handle: SafeText(trusted: row.bytes(1)), displayName: SafeText(trusted: row.bytes(2)),
      avatarURL: SafeText(trusted: row.bytes(3)))
  }
}
