internal import Dates
internal import Posts

/// A post as lists see it: everything that decides which lists it belongs to.
struct ListedPost {
  var id: PostID
  var createdAt: Instant
  /// Its author or, for a repost, its reposter.
  var author: AuthorID
  /// The account that wrote or imported it.
  var owner: AccountID
  var audience: Audience
  /// True if it belongs to any list.
  var isEntry: Bool
  /// True if a server's word is in which home lists it is: it is in none just because of its owner.
  var isPlaced: Bool
  /// The accounts that it mentions or replies to.
  var addressed: Set<AccountID>

  /// Its position in lists.
  var orderKey: OrderKey { OrderKey(createdAt: createdAt, id: id) }
}

extension ListedPost {
  /// Reads the columns that ``ListedQuery`` calls `listed`.
  init(row: Statement, _ identities: Identities) {
    let author = AuthorID(row.integer(2))
    self.init(
      id: PostID(row.integer(0)), createdAt: Instant(milliseconds: row.integer(1)), author: author,
      owner: AccountID(row.integer(3)), audience: Audience(number: row.integer(4)), isEntry: row.integer(5) != 0,
      isPlaced: row.integer(9) != 0,
      addressed: identities.addressed(
        by: author, naming: PackedBody(trusted: row.bytes(7)).mentions, source: row.integer(6),
        replyingTo: row.optionalInteger(8).map { AuthorID($0) }))
  }
}

/// Reads posts as lists see them.
final class ListedPosts {
  private let connection: Connection
  private let identities: IdentityLookup

  init(_ connection: Connection, _ identities: IdentityLookup) {
    (self.connection, self.identities) = (connection, identities)
  }

  /// Returns a row about to be written, as lists see it.
  func listed(_ row: PostRow) throws(StoreError) -> ListedPost {
    let parent: AuthorID? = if let id = row.reply.to { try PostReader(connection).author(of: id) } else { nil }
    return ListedPost(
      id: row.id, createdAt: row.createdAt, author: row.author, owner: row.owner, audience: row.audience,
      isEntry: row.isEntry, isPlaced: row.name.server != 0,
      addressed: try identities.all().addressed(
        by: row.author, naming: row.mentions, source: row.name.source, replyingTo: parent))
  }

  /// Returns a stored post as lists see it; nil if there is none.
  func listed(_ id: PostID) throws(StoreError) -> ListedPost? {
    let identities = try identities.all()
    return try connection.first(ListedQuery.byNumber, id) { ListedPost(row: $0, identities) }
  }

  /// Returns the replies to a post, as lists see them.
  func replies(to id: PostID) throws(StoreError) -> [ListedPost] {
    let identities = try identities.all()
    return try connection.rows(ListedQuery.replies, id) { ListedPost(row: $0, identities) }
  }

  /// Returns the posts for an audience group, as lists see them.
  func listed(for group: AudienceGroupID) throws(StoreError) -> [ListedPost] {
    let identities = try identities.all()
    return try connection.rows(ListedQuery.forAudience, Audience.group(group)) { ListedPost(row: $0, identities) }
  }

  /// Returns the posts of a source that an account may see and that address it, in list order.
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

  /// Returns true if a post by `author` addresses an account just by replying to a post by `answered`.
  func isAddressed(by author: AuthorID, replyingTo answered: AuthorID) throws(StoreError) -> Bool {
    try !identities.all().addressed(by: author, naming: [], source: 0, replyingTo: answered).isEmpty
  }
}
