internal import Posts

/// Reads saved sessions.
struct SessionReader {
  private let connection: Connection

  init(_ connection: Connection) { self.connection = connection }

  /// Returns the account's session with this name; nil if there is none.
  func session(_ account: AccountID, _ name: String) throws(StoreError) -> SavedSession? {
    try connection.first(SessionQuery.byName, account, name, read: SavedSession.init(row:))
  }

  /// Returns all sessions of the account, ordered by name.
  func sessions(of account: AccountID) throws(StoreError) -> [SavedSession] {
    try connection.rows(SessionQuery.ofAccount, account, read: SavedSession.init(row:))
  }

  /// Returns the number of sessions of the account.
  func count(of account: AccountID) throws(StoreError) -> Int { try connection.count(SessionQuery.count, account) }
}

extension SavedSession {
  /// Reads name, bytes, revision, places and their revision from the first five columns.
  fileprivate init(row: Statement) {
    self.init(
      name: row.text(0), bytes: row.bytes(1), revision: UInt64(bitPattern: row.integer(2)), places: row.bytes(3),
      placesRevision: UInt64(bitPattern: row.integer(4)))
  }
}

/// Saves, renames and deletes sessions.
struct Sessions {
  private let connection: Connection
  private let transaction: Transaction
  private let reader: SessionReader

  init(_ connection: Connection, _ transaction: Transaction) {
    (self.connection, self.transaction) = (connection, transaction)
    reader = SessionReader(connection)
  }

  /// Replaces the state of a session; the same bytes change nothing, not even the revision.
  func save(_ account: AccountID, _ name: String, _ bytes: [UInt8]) throws {
    try save(bytes, "the session's state", SessionQuery.save, account, name)
  }

  /// Replaces the reading positions of a session, which have their own revision. The session need not have been saved.
  func savePlaces(_ account: AccountID, _ name: String, _ bytes: [UInt8]) throws {
    try save(bytes, "the session's reading positions", SessionQuery.savePlaces, account, name)
  }

  /// Saves one of the two; `what` names it in errors.
  private func save(_ bytes: [UInt8], _ what: String, _ query: Query, _ account: AccountID, _ name: String) throws {
    _ = try AccountReader(connection).existing(account)
    try Refusal.checkName(name, "the session's name", limit: StoreLimits.sessionNameBytes)
    guard bytes.count <= StoreLimits.sessionBytes else { throw Refusal.tooLong(what, limit: StoreLimits.sessionBytes) }
    // Counted first, because a lookup by name reads the whole state.
    if try reader.count(of: account) >= StoreLimits.sessions, try reader.session(account, name) == nil {
      throw Refusal.tooMany("sessions", limit: StoreLimits.sessions)
    }
    if try connection.change(query, account, name, bytes, Int64(bitPattern: transaction.revision)) {
      transaction.noteChange()
    }
  }

  /// Renames a session to an unused name; does nothing if the name is the same.
  func rename(_ account: AccountID, _ name: String, to newName: String) throws {
    try Refusal.checkName(newName, "the session's name", limit: StoreLimits.sessionNameBytes)
    guard try reader.session(account, name) != nil else { throw Refusal.noSuchSession(name) }
    if name == newName { return }
    guard try reader.session(account, newName) == nil else { throw Refusal.nameTaken(newName) }
    try connection.run(SessionQuery.rename, account, name, newName, Int64(bitPattern: transaction.revision))
    transaction.noteChange()
  }

  /// Deletes a session.
  func delete(_ account: AccountID, _ name: String) throws {
    guard try connection.change(SessionQuery.delete, account, name) else { throw Refusal.noSuchSession(name) }
    transaction.noteChange()
  }
}
