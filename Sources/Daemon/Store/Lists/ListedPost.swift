internal import Dates
internal import Posts

/// A post as lists see it: all that decides where it goes.
struct ListedPost {
  var id: PostID
  var createdAt: Instant
  /// Who wrote or reposted it.
  var author: AuthorID
  /// The account that wrote or imported it.
  var owner: AccountID
  var audience: Audience
  /// Whether it goes anywhere.
  var isEntry: Bool
  /// The accounts that it names or answers.
  var addressed: Set<AccountID>

  /// Where it stands in lists.
  var orderKey: OrderKey { OrderKey(createdAt: createdAt, id: id) }
}

extension PostStore {
  /// A row that is written now, as lists see it.
  func listed(_ row: PostRow) throws(StoreError) -> ListedPost {
    let parent: AuthorID? = if let id = row.replyTo { try author(of: id) } else { nil }
    return ListedPost(
      id: row.id, createdAt: row.createdAt, author: row.author, owner: row.owner, audience: row.audience,
      isEntry: row.isEntry,
      addressed: try identities().addressed(by: row.author, naming: row.mentions, source: row.source, answering: parent)
    )
  }

  /// A stored post as lists see it; nil where there is none.
  func listed(_ id: PostID) throws(StoreError) -> ListedPost? {
    let identities = try identities()
    let statement = try connection.statement(.listedPost)
    defer { statement.reset() }
    statement.bind(1, id.rawValue)
    return try statement.step() ? ListedPost(row: statement, identities) : nil
  }

  /// The posts that `statement` finds, as lists see them.
  func listed(_ statement: Statement) throws(StoreError) -> [ListedPost] {
    let identities = try identities()
    var posts: [ListedPost] = []
    while try statement.step() { posts.append(ListedPost(row: statement, identities)) }
    return posts
  }

  /// Who wrote a post; of a repost, who reposted it.
  func author(of id: PostID) throws(StoreError) -> AuthorID? {
    let statement = try connection.statement(.authorOf)
    defer { statement.reset() }
    statement.bind(1, id.rawValue)
    return try statement.step() ? AuthorID(statement.integer(0)) : nil
  }
}

extension ListedPost {
  /// Reads the columns that ``Query`` calls `listed`.
  init(row: Statement, _ identities: Identities) {
    let author = AuthorID(row.integer(2))
    self.init(
      id: PostID(row.integer(0)), createdAt: Instant(milliseconds: row.integer(1)), author: author,
      owner: AccountID(row.integer(3)), audience: Audience(number: row.integer(4)), isEntry: row.integer(5) != 0,
      addressed: identities.addressed(
        by: author, naming: PackedBody(trusted: row.bytes(7)).mentions, source: row.integer(6),
        answering: row.optionalInteger(8).map { AuthorID($0) }))
  }
}
