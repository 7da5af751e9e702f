internal import Posts

extension PostStore {
  /// Replaces the state of a session; the same bytes change nothing, not even its revision.
  func saveSession(_ account: AccountID, _ name: String, _ bytes: [UInt8]) throws -> Outcome {
    _ = try existing(account)
    try checkName(name, "the session's name", limit: StoreLimits.sessionNameBytes)
    guard bytes.count <= StoreLimits.sessionBytes else {
      throw Refusal.tooLong("the session's state", limit: StoreLimits.sessionBytes)
    }
    try checkRoom(for: name, account)
    let statement = try connection.statement(.saveSession)
    defer { statement.reset() }
    statement.bind(1, account.rawValue)
    statement.bind(2, text: name)
    statement.bind(3, blob: bytes)
    statement.bind(4, Int64(bitPattern: transaction!.revision))
    _ = try statement.step()
    if connection.changes > 0 { noteChange() }
    return .sessionSaved
  }

  /// Refuses a session that is one too many.
  private func checkRoom(for name: String, _ account: AccountID) throws {
    if try session(account, name) == nil, try sessions(of: account).count >= StoreLimits.sessions {
      throw Refusal.tooMany("sessions", limit: StoreLimits.sessions)
    }
  }

  /// Replaces what is known of where a session's readers are, which has a revision of its own. The session need not have been saved.
  func savePlaces(_ account: AccountID, _ name: String, _ bytes: [UInt8]) throws -> Outcome {
    _ = try existing(account)
    try checkName(name, "the session's name", limit: StoreLimits.sessionNameBytes)
    guard bytes.count <= StoreLimits.sessionBytes else {
      throw Refusal.tooLong("the session's places", limit: StoreLimits.sessionBytes)
    }
    try checkRoom(for: name, account)
    let statement = try connection.statement(.savePlaces)
    defer { statement.reset() }
    statement.bind(1, account.rawValue)
    statement.bind(2, text: name)
    statement.bind(3, blob: bytes)
    statement.bind(4, Int64(bitPattern: transaction!.revision))
    _ = try statement.step()
    if connection.changes > 0 { noteChange() }
    return .placesSaved
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
