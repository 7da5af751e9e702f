internal import Dates
internal import Posts

extension PostStore {
  /// Notes the newest entry of a section that an account has seen. What is not newer than what is noted changes
  /// nothing.
  func markSeen(_ account: AccountID, _ section: SeenSection, _ key: OrderKey) throws -> Outcome {
    _ = try existing(account)
    let statement = try connection.statement(.markSeen)
    defer { statement.reset() }
    statement.bind(1, account.rawValue)
    statement.bind(2, section.rawValue)
    statement.bind(3, key.createdAt.milliseconds)
    statement.bind(4, key.id.rawValue)
    _ = try statement.step()
    guard connection.changes > 0 else { return .seen(isNewer: false) }
    noteChange()
    return .seen(isNewer: true)
  }
}
