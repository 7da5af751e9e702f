internal import Posts

/// Replies name what they answer by the source's id. The number is looked up when the reply arrives, and when what it
/// answers arrives later, by that one.
final class ReplyTargets {
  private let connection: Connection
  private let sources: Sources
  /// Sources of which it is known whether any post has an alias; asked of the file once a transaction.
  private var hasAliases: [Int64: Bool] = [:]
  /// Sources of which it is known whether any reply waits for what it answers; asked of the file once a transaction.
  private var hasWaiting: [Int64: Bool] = [:]

  init(_ connection: Connection, _ sources: Sources) { (self.connection, self.sources) = (connection, sources) }

  /// Notes that a post of a source has an alias.
  func noteAlias(in source: Int64) { hasAliases[source] = true }

  /// Notes that a reply of a source waits.
  func noteWaiting(in source: Int64) { hasWaiting[source] = true }

  /// Notes that replies of any source may wait.
  func forgetWaiting() { hasWaiting.removeAll() }

  /// The post that a reply of `owner` calls `key`, where it is here and the owner may see it; of a repost, its
  /// original.
  ///
  /// Looked for among native ids and then aliases of the reply's source. What is written here may answer a post of any
  /// source: such a key is `source:id`.
  func target(of key: String, source: Int64, owner: AccountID) throws(StoreError) -> PostID? {
    if let id = try target(ReplyQuery.target, key, source, owner) { return id }
    if try hasAliases(source), let id = try target(ReplyQuery.targetByAlias, key, source, owner) { return id }
    guard try source == sources.local(), let colon = key.firstIndex(of: ":"),
      let other = try sources.find(String(key[..<colon]))
    else { return nil }
    return try target(ReplyQuery.target, String(key[key.index(after: colon)...]), other, owner)
  }

  private func target(
    _ query: Query, _ key: String, _ source: Int64, _ owner: AccountID
  ) throws(StoreError) -> PostID? {
    try connection.number(query, source, key, owner).map { PostID($0) }
  }

  /// Replies of `source` that wait for a post called `key`: all of them, or those of one account.
  func waiting(for key: String, source: Int64, audience: Audience) throws(StoreError) -> [PostID] {
    guard try hasWaiting(source) else { return [] }
    return try connection.rows(ReplyQuery.waiting, source, key, audience) { PostID($0.integer(0)) }
  }

  /// Replies written here that wait for a post of another source, which they call `source:id`.
  func localWaiting(for nativeID: String, source: String, audience: Audience) throws(StoreError) -> [PostID] {
    let local = try sources.local()
    guard source != LocalSource.name, try hasWaiting(local) else { return [] }
    return try waiting(for: "\(source):\(nativeID)", source: local, audience: audience)
  }

  private func hasAliases(_ source: Int64) throws(StoreError) -> Bool {
    if let known = hasAliases[source] { return known }
    let answer = try connection.flag(ReplyQuery.hasAliases, source)
    hasAliases[source] = answer
    return answer
  }

  private func hasWaiting(_ source: Int64) throws(StoreError) -> Bool {
    if let known = hasWaiting[source] { return known }
    let answer = try connection.flag(ReplyQuery.hasWaiting, source)
    hasWaiting[source] = answer
    return answer
  }
}
