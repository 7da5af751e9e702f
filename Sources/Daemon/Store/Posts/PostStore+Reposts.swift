internal import Posts

/// A repost of a post, as its audience is decided.
struct RepostRow {
  var id: PostID
  var visibility: Visibility
  var owner: AccountID
  var audience: Audience
  var isEntry: Bool
}

extension PostStore {
  /// All reposts of a post, entries or not.
  func reposts(of id: PostID) throws(StoreError) -> [RepostRow] {
    let statement = try connection.statement(.repostsOf)
    defer { statement.reset() }
    statement.bind(1, id.rawValue)
    var rows: [RepostRow] = []
    while try statement.step() {
      rows.append(
        RepostRow(
          id: PostID(statement.integer(0)), visibility: Visibility(column: statement.integer(1)),
          owner: AccountID(statement.integer(2)), audience: Audience(number: statement.integer(3)),
          isEntry: statement.integer(4) != 0))
    }
    return rows
  }
}
