internal import Dates
internal import Posts

/// The one place where rows of `posts` are made, changed and taken away. What follows a post (lists, counts, the index
/// of words) is told here and nowhere else.
extension PostStore {
  /// Looks for the copy of `row`'s post that its owner imports over: the owner's private one, else the shared one.
  ///
  /// The shared copy is everyone's while it is for everyone, and is made private by its owner only. So nobody can read
  /// or hide what is not theirs by importing a post of the same name; they get a copy of their own. Who may change it
  /// is ``mayChange(_:_:)``.
  func find(_ row: PostRow) throws(StoreError) -> Found {
    let statement = try connection.statement(.findPost)
    defer { statement.reset() }
    statement.bind(1, row.source)
    statement.bind(2, text: row.nativeID)
    var found = Found()
    while try statement.step() {
      let scope = statement.integer(1)
      let owner = AccountID(statement.integer(2))
      guard scope == 0 || scope == row.owner.rawValue else { continue }
      found.isSharedTaken = scope == 0
      let staysShared = statement.integer(5) == Audience.everyone.number && row.audience == .everyone
      guard scope != 0 || owner == row.owner || staysShared else { continue }
      found.row = StoredRow(statement, comparedWith: row)
      if scope != 0 { break }
    }
    return found
  }

  /// Adds a row.
  func insert(_ row: PostRow) throws(StoreError) {
    let statement = try connection.statement(.insertPost)
    defer { statement.reset() }
    statement.bind(1, row.id.rawValue)
    statement.bind(2, row.source)
    statement.bind(3, text: row.nativeID)
    statement.bind(4, row.scope)
    statement.bind(5, row.owner.rawValue)
    statement.bind(6, row.author.rawValue)
    statement.bind(7, row.createdAt.milliseconds)
    statement.bind(8, Int64(row.visibility.rawValue))
    statement.bind(9, row.audience.number)
    statement.bind(10, row.isEntry ? 1 : 0)
    statement.bind(11, row.original?.id.rawValue)
    statement.bind(12, row.replyTo?.rawValue)
    statement.bind(13, text: row.replyKey)
    statement.bind(14, blob: row.body.bytes)
    _ = try statement.step()
    noteChange()
    count(row.author, row.audience, isEntry: row.isEntry, 1)
    if row.isWaiting { transaction!.hasWaiting[row.source] = true }
    try noteAnswer(row, to: row.replyTo)
    if row.isEntry { try file(try listed(row)) }
    noteSearch(inserted: row)
  }

  /// Writes `row` over `stored`, whose number, scope and owner stay.
  func update(_ stored: StoredRow, to row: PostRow) throws(StoreError) {
    try noteSearch(before: stored.id)
    let statement = try connection.statement(.updatePost)
    defer { statement.reset() }
    statement.bind(1, stored.id.rawValue)
    statement.bind(2, row.author.rawValue)
    statement.bind(3, row.createdAt.milliseconds)
    statement.bind(4, Int64(row.visibility.rawValue))
    statement.bind(5, row.audience.number)
    statement.bind(6, row.isEntry ? 1 : 0)
    statement.bind(7, row.original?.id.rawValue)
    statement.bind(8, row.replyTo?.rawValue)
    statement.bind(9, text: row.replyKey)
    statement.bind(10, blob: row.body.bytes)
    _ = try statement.step()
    noteChange()
    count(stored.author, stored.audience, isEntry: stored.isEntry, -1)
    count(row.author, row.audience, isEntry: row.isEntry, 1)
    if row.isWaiting { transaction!.hasWaiting[row.source] = true }
    try noteAnswer(row, to: stored.replyTo)
    try noteAnswer(row, to: row.replyTo)
    if !stored.isEntry {
      if row.isEntry { try file(try listed(row)) }
    } else if !stored.isListedLike(row) {
      let key = OrderKey(createdAt: stored.createdAt, id: stored.id)
      try refile(try listed(row), from: key, stored.author, stored.audience)
    }
    if stored.author != row.author { try refileReplies(to: row.id) }
    noteSearch(updated: row)
  }

  /// Has a row that only came inside of a repost be an entry of lists.
  func makeEntry(_ stored: StoredRow) throws(StoreError) {
    let statement = try connection.statement(.makeEntry)
    defer { statement.reset() }
    statement.bind(1, stored.id.rawValue)
    _ = try statement.step()
    noteChange()
    count(stored.author, stored.audience, isEntry: false, -1)
    count(stored.author, stored.audience, isEntry: true, 1)
    if let post = try listed(stored.id) { try file(post) }
  }

  /// Takes a row away, and all that belongs to it alone.
  func delete(_ post: ListedPost) throws(StoreError) {
    var gone = post
    gone.isEntry = false
    try keepForStep(post.id)
    try noteSearch(before: post.id)
    try noteAnswer(post.id)
    try refile(gone, from: post.orderKey, post.author, post.audience)
    count(post.author, post.audience, isEntry: post.isEntry, -1)
    for query in [Query.deleteNative, .deleteAliases, .deleteOutbox, .deletePost] {
      let statement = try connection.statement(query)
      defer { statement.reset() }
      statement.bind(1, post.id.rawValue)
      _ = try statement.step()
    }
    noteChange()
    noteSearch(deleted: post.id)
    transaction!.changes.removed.append(post.orderKey)
  }

  /// Gives a repost another audience. The index of words does not have it.
  func change(_ repost: RepostRow, to audience: Audience) throws(StoreError) {
    if let post = try listed(repost.id) { try set(audience, of: post) }
  }

  /// Gives an entry that is no repost another audience.
  func change(_ post: ListedPost, to audience: Audience) throws(StoreError) {
    try noteSearch(of: post, for: audience)
    try set(audience, of: post)
    transaction!.touch(post.id)
  }

  private func set(_ audience: Audience, of post: ListedPost) throws(StoreError) {
    let statement = try connection.statement(.updateAudience)
    defer { statement.reset() }
    statement.bind(1, post.id.rawValue)
    statement.bind(2, audience.number)
    _ = try statement.step()
    noteChange()
    try noteAnswer(post.id)
    count(post.author, post.audience, isEntry: post.isEntry, -1)
    count(post.author, audience, isEntry: post.isEntry, 1)
    var changed = post
    changed.audience = audience
    try refile(changed, from: post.orderKey, post.author, post.audience)
  }

  /// Notes that `reply` answers `post`.
  func connect(_ reply: PostID, to post: PostID) throws(StoreError) {
    let statement = try connection.statement(.updateReply)
    defer { statement.reset() }
    statement.bind(1, reply.rawValue)
    statement.bind(2, post.rawValue)
    _ = try statement.step()
    noteChange()
    try noteAnswer(reply)
    if let answered = try author(of: post), let author = try author(of: reply),
      try !identities().addressed(by: author, naming: [], source: 0, answering: answered).isEmpty
    {
      try fileMentions(reply)
    }
  }

  /// Notes that an author has so many posts more that `audience` may see.
  private func count(_ author: AuthorID, _ audience: Audience, isEntry: Bool, _ number: Int) {
    let key = AuthorTally(author: author, audience: audience)
    let tally = transaction!.authorTallies[key] ?? (0, 0)
    transaction!.authorTallies[key] =
      isEntry ? (tally.entries + number, tally.others) : (tally.entries, tally.others + number)
    if case .circle(let circle) = audience { transaction!.circles.insert(circle) }
  }

  /// Keeps the source's own JSON of a post; an empty one replaces nothing.
  func keep(native: [UInt8], of id: PostID) throws(StoreError) {
    if native.isEmpty { return }
    let statement = try connection.statement(.insertNative)
    defer { statement.reset() }
    statement.bind(1, id.rawValue)
    statement.bind(2, blob: native)
    _ = try statement.step()
    noteChange()
  }

  /// Gives a post another name; true if it did not have it yet.
  func add(alias: String, source: Int64, of id: PostID) throws(StoreError) -> Bool {
    let statement = try connection.statement(.insertAlias)
    defer { statement.reset() }
    statement.bind(1, source)
    statement.bind(2, text: alias)
    statement.bind(3, id.rawValue)
    _ = try statement.step()
    guard connection.changes > 0 else { return false }
    noteChange()
    transaction!.hasAliases[source] = true
    return true
  }
}

extension StoredRow {
  /// The row that `statement`, which is ``Query/findPost``, is at.
  init(_ statement: Statement, comparedWith row: PostRow) {
    let hasSameReplyKey = statement.column(9, equals: row.replyKey)
    let hasSameBody = statement.column(10, equals: row.body.bytes)
    let isSame =
      hasSameReplyKey && hasSameBody && statement.integer(3) == row.author.rawValue
      && statement.integer(4) == row.createdAt.milliseconds
      && statement.optionalInteger(7) == row.original?.id.rawValue
    self.init(
      id: PostID(statement.integer(0)), owner: AccountID(statement.integer(2)), author: AuthorID(statement.integer(3)),
      createdAt: Instant(milliseconds: statement.integer(4)), visibility: Visibility(column: statement.integer(11)),
      audience: Audience(number: statement.integer(5)), isEntry: statement.integer(6) != 0,
      isRepost: !statement.isNull(7), replyTo: statement.optionalInteger(8).map { PostID($0) }, isSame: isSame,
      hasSameReplyKey: hasSameReplyKey,
      isAheadOfCounts: PostMarks(trusted: statement.bytes(12)).isAheadOfCounts,
      mentions: hasSameBody ? nil : PackedBody(trusted: statement.bytes(10)).mentions)
  }
}

extension Visibility {
  /// From the column `visibility`; the narrowest for a number that is none.
  init(column: Int64) { self = Visibility(rawValue: UInt8(truncatingIfNeeded: column)) ?? .direct }
}
