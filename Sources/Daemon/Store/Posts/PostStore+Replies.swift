internal import Posts

/// Replies name what they answer by the source's id. The number is looked up when the reply arrives, and when what it
/// answers arrives later, by that one.
extension PostStore {
  /// The post that a reply of `owner` calls `key`, where it is here and the owner may see it; of a repost, its
  /// original.
  ///
  /// Looked for among native ids and then aliases of the reply's source. What is written here may answer a post of any
  /// source: such a key is `source:id`.
  func target(of key: String, source: Int64, owner: AccountID) throws(StoreError) -> PostID? {
    if let id = try target(.findTarget, key, source, owner) { return id }
    if try hasAliases(source), let id = try target(.findTargetByAlias, key, source, owner) { return id }
    guard try source == local(), let colon = key.firstIndex(of: ":"),
      let other = try find(source: String(key[..<colon]))
    else { return nil }
    return try target(.findTarget, String(key[key.index(after: colon)...]), other, owner)
  }

  private func target(
    _ query: Query, _ key: String, _ source: Int64, _ owner: AccountID
  ) throws(StoreError) -> PostID? {
    let statement = try connection.statement(query)
    defer { statement.reset() }
    statement.bind(1, source)
    statement.bind(2, text: key)
    statement.bind(3, owner.rawValue)
    return try statement.step() ? PostID(statement.integer(0)) : nil
  }

  /// Replies of `source` that wait for a post called `key`: all of them, or those of one account.
  func repliesWaiting(for key: String, source: Int64, audience: Audience) throws(StoreError) -> [PostID] {
    guard try hasWaiting(source) else { return [] }
    let statement = try connection.statement(.waitingReplies)
    defer { statement.reset() }
    statement.bind(1, source)
    statement.bind(2, text: key)
    statement.bind(3, audience.number)
    var ids: [PostID] = []
    while try statement.step() { ids.append(PostID(statement.integer(0))) }
    return ids
  }

  /// Replies written here that wait for a post of another source, which they call `source:id`.
  func localRepliesWaiting(
    for nativeID: String, source: String, audience: Audience
  ) throws(StoreError) -> [PostID] {
    let local = try self.local()
    guard source != PostStore.localSource, try hasWaiting(local) else { return [] }
    return try repliesWaiting(for: "\(source):\(nativeID)", source: local, audience: audience)
  }

  /// Whether any post of `source` has an alias; asked of the file once a transaction.
  private func hasAliases(_ source: Int64) throws(StoreError) -> Bool {
    if let known = transaction?.hasAliases[source] { return known }
    let answer = try ask(.hasAliases, source)
    transaction?.hasAliases[source] = answer
    return answer
  }

  /// Whether any reply of `source` waits; asked of the file once a transaction.
  private func hasWaiting(_ source: Int64) throws(StoreError) -> Bool {
    if let known = transaction?.hasWaiting[source] { return known }
    let answer = try ask(.hasWaiting, source)
    transaction?.hasWaiting[source] = answer
    return answer
  }

  private func ask(_ query: Query, _ source: Int64) throws(StoreError) -> Bool {
    let statement = try connection.statement(query)
    defer { statement.reset() }
    statement.bind(1, source)
    return try statement.step() && statement.integer(0) != 0
  }
}
