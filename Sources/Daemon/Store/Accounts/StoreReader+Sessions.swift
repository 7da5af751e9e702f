public import Posts

extension StoreReader {
  /// The account's session of this name, or nil.
  public func session(_ account: AccountID, _ name: String) throws(StoreError) -> SavedSession? {
    let statement = try connection.statement(.session)
    defer { statement.reset() }
    statement.bind(1, account.rawValue)
    statement.bind(2, text: name)
    return try statement.step() ? SavedSession(row: statement) : nil
  }

  /// All sessions of the account, by name.
  public func sessions(of account: AccountID) throws(StoreError) -> [SavedSession] {
    let statement = try connection.statement(.sessions)
    defer { statement.reset() }
    statement.bind(1, account.rawValue)
    var sessions: [SavedSession] = []
    while try statement.step() { sessions.append(SavedSession(row: statement)) }
    return sessions
  }

  /// How many sessions the account has.
  public func sessionCount(of account: AccountID) throws(StoreError) -> Int {
    let statement = try connection.statement(.sessionCount)
    defer { statement.reset() }
    statement.bind(1, account.rawValue)
    return try statement.step() ? Int(statement.integer(0)) : 0
  }
}

extension SavedSession {
  /// Reads name, bytes, revision, places and their revision from the first five columns.
  init(row: Statement) {
    self.init(
      name: row.text(0), bytes: row.bytes(1), revision: UInt64(bitPattern: row.integer(2)), places: row.bytes(3),
      placesRevision: UInt64(bitPattern: row.integer(4)))
  }
}
