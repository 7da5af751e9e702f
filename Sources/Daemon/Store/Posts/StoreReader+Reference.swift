public import Posts

extension StoreReader {
  /// The post that a user means by `reference`: the store's number of it, or `source:id` with the source's own id or an
  /// alias (`twitter:20`, `mastodon:https://example.org/users/ann/statuses/1`). Nil where there is none that `account`
  /// may see.
  public func resolve(reference: String, visibleTo account: AccountID) throws(StoreError) -> PostID? {
    if let number = Int64(reference) { return try post(PostID(number), visibleTo: account)?.id }
    guard let colon = reference.firstIndex(of: ":") else { return nil }
    let source = String(reference[..<colon])
    let nativeID = String(reference[reference.index(after: colon)...])
    if let id = try find(.findReference, source, nativeID, account) { return id }
    return try find(.findReferenceByAlias, source, nativeID, account)
  }

  private func find(
    _ query: Query, _ source: String, _ name: String, _ account: AccountID
  ) throws(StoreError) -> PostID? {
    let statement = try connection.statement(query)
    defer { statement.reset() }
    statement.bind(1, text: source)
    statement.bind(2, text: name)
    statement.bind(3, account.rawValue)
    return try statement.step() ? PostID(statement.integer(0)) : nil
  }
}
