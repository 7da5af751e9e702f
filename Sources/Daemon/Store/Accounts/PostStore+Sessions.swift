internal import Posts

extension PostStore {
  /// Replaces the state of a session; the same bytes change nothing, not even its revision.
  func saveSession(_ account: AccountID, _ name: String, _ bytes: [UInt8]) throws -> Outcome {
    try save(bytes, "the session's state", .saveSession, account, name)
    return .sessionSaved
  }

  /// Replaces what is known of where a session's readers are, which has a revision of its own. The session need not
  /// have been saved.
  func savePlaces(_ account: AccountID, _ name: String, _ bytes: [UInt8]) throws -> Outcome {
    try save(bytes, "the session's places", .savePlaces, account, name)
    return .placesSaved
  }

  /// Saves one of the two; `what` says which.
  private func save(_ bytes: [UInt8], _ what: String, _ query: Query, _ account: AccountID, _ name: String) throws {
    _ = try existing(account)
    try checkName(name, "the session's name", limit: StoreLimits.sessionNameBytes)
    guard bytes.count <= StoreLimits.sessionBytes else { throw Refusal.tooLong(what, limit: StoreLimits.sessionBytes) }
    // Counted first: to see whether there is one of this name, all of its state is read.
    if try sessionCount(of: account) >= StoreLimits.sessions, try session(account, name) == nil {
      throw Refusal.tooMany("sessions", limit: StoreLimits.sessions)
    }
    let statement = try connection.statement(query)
    defer { statement.reset() }
    statement.bind(1, account.rawValue)
    statement.bind(2, text: name)
    statement.bind(3, blob: bytes)
    statement.bind(4, Int64(bitPattern: transaction!.revision))
    _ = try statement.step()
    if connection.changes > 0 { noteChange() }
  }

  /// Gives a session another name, which no other has; the same one changes nothing.
  func renameSession(_ account: AccountID, _ name: String, _ newName: String) throws -> Outcome {
    try checkName(newName, "the session's name", limit: StoreLimits.sessionNameBytes)
    guard try session(account, name) != nil else { throw Refusal.noSuchSession(name) }
    if name == newName { return .sessionRenamed }
    guard try session(account, newName) == nil else { throw Refusal.nameTaken(newName) }
    let statement = try connection.statement(.renameSession)
    defer { statement.reset() }
    statement.bind(1, account.rawValue)
    statement.bind(2, text: name)
    statement.bind(3, text: newName)
    statement.bind(4, Int64(bitPattern: transaction!.revision))
    _ = try statement.step()
    noteChange()
    return .sessionRenamed
  }

  /// Forgets a session.
  func deleteSession(_ account: AccountID, _ name: String) throws -> Outcome {
    let statement = try connection.statement(.deleteSession)
    defer { statement.reset() }
    statement.bind(1, account.rawValue)
    statement.bind(2, text: name)
    _ = try statement.step()
    guard connection.changes > 0 else { throw Refusal.noSuchSession(name) }
    noteChange()
    return .sessionDeleted
  }
}
