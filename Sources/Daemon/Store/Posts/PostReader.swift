internal import Dates
internal import Posts

/// Reads single posts and conversations.
struct PostReader {
  private let connection: Connection

  init(_ connection: Connection) { self.connection = connection }

  /// Returns a post; nil if there is none or `account` may not see it.
  func post(_ id: PostID, visibleTo account: AccountID) throws(StoreError) -> StoredPost? {
    try connection.first(PostQuery.visible, id, account, read: StoredPost.init(row:))
  }

  /// Returns a post without regard to its audience.
  func post(_ id: PostID) throws(StoreError) -> StoredPost? {
    try connection.first(PostQuery.byNumber, id, read: StoredPost.init(row:))
  }

  /// Returns the original of a repost that `account` may see, or the post itself if it is not a repost. Only the
  /// audience of `id` is checked. Nil if there is none.
  func subject(of id: PostID, visibleTo account: AccountID) throws(StoreError) -> StoredPost? {
    guard let subject = try post(id, visibleTo: account)?.subject else { return nil }
    return try post(subject)
  }

  /// Returns the source of a post, and its native ID there.
  func name(of post: PostID) throws(StoreError) -> (source: String, nativeID: String)? {
    try connection.first(PostQuery.name, post) { ($0.text(0), $0.text(1)) }
  }

  /// Returns the author of a post or, for a repost, its reposter.
  func author(of id: PostID) throws(StoreError) -> AuthorID? {
    try connection.number(PostQuery.author, id).map { AuthorID($0) }
  }

  /// Returns true if a post is an entry of lists; false if there is no such post.
  func isEntry(_ id: PostID) throws(StoreError) -> Bool { try connection.flag(PostQuery.isEntry, id) }

  /// Returns all reposts of a post, entries or not.
  func reposts(of id: PostID) throws(StoreError) -> [RepostRow] {
    try connection.rows(PostQuery.reposts, id) { row in
      RepostRow(
        id: PostID(row.integer(0)), visibility: Visibility(column: row.integer(1)), owner: AccountID(row.integer(2)),
        audience: Audience(number: row.integer(3)), isEntry: row.integer(4) != 0)
    }
  }

  /// See ``StoreReader/resolve(reference:visibleTo:)``.
  func resolve(_ reference: String, visibleTo account: AccountID) throws(StoreError) -> PostID? {
    if let number = Int64(reference) { return try post(PostID(number), visibleTo: account)?.id }
    guard let colon = reference.firstIndex(of: ":") else { return nil }
    let source = String(reference[..<colon])
    let nativeID = String(reference[reference.index(after: colon)...])
    if let id = try connection.number(PostQuery.byReference, source, nativeID, account) { return PostID(id) }
    return try connection.number(PostQuery.byAlias, source, nativeID, account).map { PostID($0) }
  }

  /// See ``StoreReader/conversation(of:visibleTo:limit:)``.
  func conversation(of id: PostID, visibleTo account: AccountID, limit: Int) throws(StoreError) -> [StoredPost] {
    guard let entry = try post(id, visibleTo: account) else { return [] }
    let limit = min(max(limit, 1), StoreLimits.conversationPosts)
    let ancestors = try thread(PostQuery.ancestors, entry.subject, account, limit: 1 + limit / 2)
    let below = try thread(PostQuery.descendants, entry.subject, account, limit: max(1, limit - ancestors.count))
    let above = Set(ancestors.map(\.id))
    let posts = ancestors + below.filter { !above.contains($0.id) }
    return posts.sorted { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }
  }

  private func thread(
    _ query: Query, _ id: PostID, _ account: AccountID, limit: Int
  ) throws(StoreError) -> [StoredPost] {
    try connection.rows(query, id, account, limit, read: StoredPost.init(row:))
  }
}

extension StoredPost {
  /// Reads the columns that ``PostSQL`` calls `shown`.
  init(row: Statement) {
    let id = PostID(row.integer(0))
    let owner = AccountID(row.integer(3))
    let author = AuthorID(row.integer(2))
    let isRepost = !row.isNull(5)
    self.init(
      id: id, subject: isRepost ? PostID(row.integer(5)) : id, createdAt: Instant(milliseconds: row.integer(1)),
      author: isRepost ? AuthorID(row.integer(8)) : author, repostedBy: isRepost ? author : nil, owner: owner,
      inReplyTo: row.optionalInteger(isRepost ? 9 : 6).map { PostID($0) },
      body: PackedBody(trusted: row.bytes(isRepost ? 10 : 7)), marks: PostMarks(trusted: row.bytes(11)),
      audience: Audience(number: row.integer(4)),
      originalAt: row.optionalInteger(12).map { Instant(milliseconds: $0) })
  }
}

extension OrderKey {
  /// Reads instant and ID from the first two columns.
  init(row: Statement) {
    self.init(createdAt: Instant(milliseconds: row.integer(0)), id: PostID(row.integer(1)))
  }
}
