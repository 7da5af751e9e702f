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

extension ListedPost {
  /// Reads the columns that ``ListedQuery`` calls `listed`.
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

/// Reads posts as lists see them.
struct ListedPosts {
  private let connection: Connection
  private let identities: IdentityLookup

  init(_ connection: Connection, _ identities: IdentityLookup) {
    (self.connection, self.identities) = (connection, identities)
  }

  /// A row that is written now, as lists see it.
  func listed(_ row: PostRow) throws(StoreError) -> ListedPost {
    let parent: AuthorID? = if let id = row.reply.to { try PostReader(connection).author(of: id) } else { nil }
    return ListedPost(
      id: row.id, createdAt: row.createdAt, author: row.author, owner: row.owner, audience: row.audience,
      isEntry: row.isEntry,
      addressed: try identities.all().addressed(
        by: row.author, naming: row.mentions, source: row.name.source, answering: parent))
  }

  /// A stored post as lists see it; nil where there is none.
  func listed(_ id: PostID) throws(StoreError) -> ListedPost? {
    let identities = try identities.all()
    return try connection.first(ListedQuery.byNumber, id) { ListedPost(row: $0, identities) }
  }

  /// The answers to a post, as lists see them.
  func replies(to id: PostID) throws(StoreError) -> [ListedPost] {
    let identities = try identities.all()
    return try connection.rows(ListedQuery.replies, id) { ListedPost(row: $0, identities) }
  }

  /// The posts that are for a circle, as lists see them.
  func listed(for circle: CircleID) throws(StoreError) -> [ListedPost] {
    let identities = try identities.all()
    return try connection.rows(ListedQuery.forAudience, Audience.circle(circle)) { ListedPost(row: $0, identities) }
  }

  /// The posts of a source that an account may see and that are addressed to it, by their place in lists.
  func mentions(of account: AccountID, in source: Int64) throws(StoreError) -> [OrderKey] {
    let identities = try identities.all()
    let statement = try connection.bound(ListedQuery.fromSource, source, account)
    defer { statement.reset() }
    var keys: [OrderKey] = []
    while try statement.step() {
      let post = ListedPost(row: statement, identities)
      if post.addressed.contains(account) { keys.append(post.orderKey) }
    }
    return keys
  }

  /// Whether a post by one author that answers one by another is addressed to somebody for that alone.
  func isAddressed(by author: AuthorID, answering answered: AuthorID) throws(StoreError) -> Bool {
    try !identities.all().addressed(by: author, naming: [], source: 0, answering: answered).isEmpty
  }
}
