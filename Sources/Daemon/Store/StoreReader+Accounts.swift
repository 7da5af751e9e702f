public import Posts

extension StoreReader {
  /// The account with this number, if there is one.
  public func account(_ id: AccountID) throws(StoreError) -> Account? {
    let statement = try connection.statement(.account)
    defer { statement.reset() }
    statement.bind(1, id.rawValue)
    return try statement.step() ? Account(row: statement) : nil
  }

  /// The account of a Unix user, if there is one.
  func account(uid: UInt32) throws(StoreError) -> Account? {
    let statement = try connection.statement(.accountByUID)
    defer { statement.reset() }
    statement.bind(1, Int64(uid))
    return try statement.step() ? Account(row: statement) : nil
  }

  /// The account with this name, if there is one.
  public func account(named name: String) throws(StoreError) -> Account? {
    let statement = try connection.statement(.accountByName)
    defer { statement.reset() }
    statement.bind(1, text: name)
    return try statement.step() ? Account(row: statement) : nil
  }
}

extension Account {
  /// Reads id, uid and name from the first three columns.
  init(row: Statement) {
    self.init(
      id: AccountID(row.integer(0)), uid: row.optionalInteger(1).map { UInt32(truncatingIfNeeded: $0) }, name: row.text(2))
  }
}
