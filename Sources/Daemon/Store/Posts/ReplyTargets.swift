internal import Posts

/// Finds the parents of replies. A reply names its parent by the source's ID. The parent is looked up when the reply
/// arrives; if the parent arrives later, it looks up its replies.
final class ReplyTargets {
  private let connection: Connection
  private let sources: Sources
  /// True for a source with aliases; queried once per source and transaction.
  private var hasAliases: [Int64: Bool] = [:]
  /// True for a source with replies that wait for their parent; queried once per source and transaction.
  private var hasWaiting: [Int64: Bool] = [:]

  init(_ connection: Connection, _ sources: Sources) { (self.connection, self.sources) = (connection, sources) }

  func endTransaction() {
    hasAliases = [:]
    hasWaiting = [:]
  }

  /// Records that a post of a source has an alias.
  func noteAlias(in source: Int64) { hasAliases[source] = true }

  /// Records that a reply of a source waits for its parent.
  func noteWaiting(in source: Int64) { hasWaiting[source] = true }

  /// Records that replies of any source may wait.
  func forgetWaiting() { hasWaiting.removeAll() }

  /// Returns the post that a reply by `owner` names by `key`, if it is here and the owner may see it; for a repost, its
  /// original.
  ///
  /// Native IDs of the reply's source are searched first, then aliases. A local reply may have a parent in any source,
  /// with a key of the form `source:id`. A parent that another store's feed brought is in ``FeedArchive``.
  func target(of key: String, source: Int64, owner: AccountID) throws(StoreError) -> PostID? {
    if let id = try target(ReplyQuery.target, key, source, owner) { return id }
    if try hasAliases(source), let id = try target(ReplyQuery.targetByAlias, key, source, owner) { return id }
    guard try source == sources.local(), let colon = key.firstIndex(of: ":") else { return nil }
    let name = String(key[..<colon])
    for name in name == StoredFeed.source ? [name, FeedArchive.source] : [name] {
      guard let other = try sources.find(name) else { continue }
      if let id = try target(ReplyQuery.target, String(key[key.index(after: colon)...]), other, owner) { return id }
    }
    return nil
  }

  private func target(
    _ query: Query, _ key: String, _ source: Int64, _ owner: AccountID
  ) throws(StoreError) -> PostID? {
    try connection.number(query, source, key, owner).map { PostID($0) }
  }

  /// Returns the replies in `source` that wait for a post called `key` and whose owners belong to `audience`.
  func waiting(for key: String, source: Int64, audience: Audience) throws(StoreError) -> [PostID] {
    guard try hasWaiting(source) else { return [] }
    return try connection.rows(ReplyQuery.waiting, source, key, audience) { PostID($0.integer(0)) }
  }

  /// Returns the local replies that wait for a post of another source, which they name `source:id`.
  func localWaiting(for nativeID: String, source: String, audience: Audience) throws(StoreError) -> [PostID] {
    let local = try sources.local()
    guard source != LocalSource.name, try hasWaiting(local) else { return [] }
    let found = try waiting(for: "\(source):\(nativeID)", source: local, audience: audience)
    guard source == FeedArchive.source else { return found }
    return try found + waiting(for: "\(StoredFeed.source):\(nativeID)", source: local, audience: audience)
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
