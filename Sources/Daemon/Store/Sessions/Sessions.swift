internal import Posts

/// Reads saved sessions.
struct SessionReader {
  private let connection: Connection

  init(_ connection: Connection) { self.connection = connection }

  /// The account's session of this name, or nil.
  func session(_ account: AccountID, _ name: String) throws(StoreError) -> SavedSession? {
    try connection.first(SessionQuery.byName, account, name, read: SavedSession.init(row:))
  }

  /// All sessions of the account, by name.
  func sessions(of account: AccountID) throws(StoreError) -> [SavedSession] {
    try connection.rows(SessionQuery.ofAccount, account, read: SavedSession.init(row:))
  }

  /// How many sessions the account has.
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

/// Saves, renames and forgets sessions.
struct Sessions {
  private let connection: Connection
  private let transaction: Transaction
  private let reader: SessionReader

  init(_ connection: Connection, _ transaction: Transaction) {
    (self.connection, self.transaction) = (connection, transaction)
    reader = SessionReader(connection)
  }

  /// Replaces the state of a session; the same bytes change nothing, not even its revision.
  func save(_ account: AccountID, _ name: String, _ bytes: [UInt8]) throws {
    try save(bytes, "the session's state", SessionQuery.save, account, name)
  }

  /// Replaces what is known of where a session's readers are, which has a revision of its own. The session need not
  /// have been saved.
  func savePlaces(_ account: AccountID, _ name: String, _ bytes: [UInt8]) throws {
    try save(bytes, "the session's places", SessionQuery.savePlaces, account, name)
  }

  /// Saves one of the two; `what` says which.
  private func save(_ bytes: [UInt8], _ what: String, _ query: Query, _ account: AccountID, _ name: String) throws {
    _ = try AccountReader(connection).existing(account)
    try Refusal.checkName(name, "the session's name", limit: StoreLimits.sessionNameBytes)
    guard bytes.count <= StoreLimits.sessionBytes else { throw Refusal.tooLong(what, limit: StoreLimits.sessionBytes) }
    // Counted first: to see whether there is one of this name, all of its state is read.
    if try reader.count(of: account) >= StoreLimits.sessions, try reader.session(account, name) == nil {
      throw Refusal.tooMany("sessions", limit: StoreLimits.sessions)
    }
    if try connection.change(query, account, name, bytes, Int64(bitPattern: transaction.revision)) {
      transaction.noteChange()
    }
  }

  /// Gives a session another name, which no other has; the same one changes nothing.
  func rename(_ account: AccountID, _ name: String, to newName: String) throws {
    try Refusal.checkName(newName, "the session's name", limit: StoreLimits.sessionNameBytes)
    guard try reader.session(account, name) != nil else { throw Refusal.noSuchSession(name) }
    if name == newName { return }
    guard try reader.session(account, newName) == nil else { throw Refusal.nameTaken(newName) }
    try connection.run(SessionQuery.rename, account, name, newName, Int64(bitPattern: transaction.revision))
    transaction.noteChange()
  }

  /// Forgets a session.
  func delete(_ account: AccountID, _ name: String) throws {
    guard try connection.change(SessionQuery.delete, account, name) else { throw Refusal.noSuchSession(name) }
    transaction.noteChange()
  }
}
