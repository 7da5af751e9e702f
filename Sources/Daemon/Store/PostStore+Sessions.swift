internal import Posts

extension PostStore {
  /// Replaces the state of a session; the same bytes change nothing, not even its revision.
  func saveSession(_ account: AccountID, _ name: String, _ bytes: [UInt8]) throws -> Outcome {
    _ = try existing(account)
    try checkName(name, "the session's name")
    guard bytes.count <= StoreLimits.sessionBytes else {
      throw Refusal.tooLong("the session's state", limit: StoreLimits.sessionBytes)
    }
    let statement = try connection.statement(.saveSession)
    defer { statement.reset() }
    statement.bind(1, account.rawValue)
    statement.bind(2, text: name)
    statement.bind(3, blob: bytes)
    statement.bind(4, Int64(bitPattern: transaction!.meta.revision))
    _ = try statement.step()
    if connection.changes > 0 { noteChange() }
    return .sessionSaved
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
