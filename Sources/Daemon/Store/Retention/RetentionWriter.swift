internal import Dates
internal import Posts

/// Sets how much is kept of sources, and removes what has to go, in slices (docs/adr/0034).
///
/// What people have a part in stays: what an account here saved, favourited, reposted, answered, wrote elsewhere or
/// marked as unread, and what waits for its source. So does what an import brought.
final class RetentionWriter {
  private let connection: Connection
  private let transaction: Transaction
  private let sources: Sources
  private let programs: SourcePrograms
  private let listed: ListedPosts
  private let identities: IdentityLookup
  private let removal: Removal

  /// The number of posts that a slice looks at.
  static let slicePosts = 200

  init(
    _ connection: Connection, _ transaction: Transaction, sources: Sources, programs: SourcePrograms,
    listed: ListedPosts, identities: IdentityLookup, removal: Removal
  ) {
    (self.connection, self.transaction) = (connection, transaction)
    (self.sources, self.programs, self.listed) = (sources, programs, listed)
    (self.identities, self.removal) = (identities, removal)
  }

  /// Makes a change; the outcome is that of a slice.
  ///
  /// - Throws: a `Refusal` for a source without a program that brings posts, or a rule or size out of range.
  func apply(_ change: RetentionChange) throws -> Pruned {
    switch change {
    case .rule(let rule, let source): try keep(rule, of: source)
    case .size(let bytes): try limit(to: bytes)
    case .prune(let pruning): return try prune(pruning)
    }
    return Pruned()
  }

  /// Sets the rule of a source that programs may speak for.
  private func keep(_ rule: KeepRule, of name: String) throws {
    guard name != LocalSource.name else { throw Refusal.keptAlways }
    let source: Int64
    if name == StoredFeed.source {
      // It may be set before the first feed is added.
      source = try sources.number(of: name)
    } else {
      guard let known = try sources.find(name) else { throw Refusal.unknownSource(name) }
      guard try programs.speak(for: known) else { throw Refusal.keptAlways }
      source = known
    }
    try Optional(rule).save(for: source, feed: 0, to: connection)
    transaction.noteChange()
  }

  /// Sets the size in bytes above which old posts are removed; 0 for none.
  private func limit(to bytes: Int) throws {
    guard bytes == 0 || StoreSize.limits.contains(bytes) else { throw Refusal.unusableSize }
    try connection.run(RetentionQuery.setLimit, bytes)
    transaction.noteChange()
  }

  /// Removes a slice of the posts.
  private func prune(_ pruning: Pruning) throws(StoreError) -> Pruned {
    var (rest, pruned) = (pruning, Pruned())
    if rest.scope == .programs, try RetentionReader(connection).size().usedBytes <= rest.targetBytes { return pruned }
    let posts = try slice(rest)
    var counts: [Origin: Int] = [:]
    for post in posts {
      guard rest.left > 0 else { return try finish(pruned, counts) }
      rest.last = OrderKey(createdAt: post.createdAt, id: post.id)
      guard try isInScope(post, rest.scope) else { continue }
      rest.left -= 1
      let removed = try remove(post)
      pruned.removed += removed
      if removed > 0 { counts[try origin(of: post), default: 0] += removed }
    }
    if posts.count == Self.slicePosts, rest.left > 0 { pruned.next = rest }
    return try finish(pruned, counts)
  }

  // MARK: Parts

  /// A source, or a feed of it.
  private struct Origin: Hashable {
    var source: Int64
    var feed: Int64
  }

  private func finish(_ pruned: Pruned, _ counts: [Origin: Int]) throws(StoreError) -> Pruned {
    for (origin, count) in counts {
      try connection.run(RetentionQuery.count, origin.source, origin.feed, count)
    }
    return pruned
  }

  private func slice(_ pruning: Pruning) throws(StoreError) -> [PrunablePost] {
    let last = pruning.last
    return switch pruning.scope {
    case .author(let author):
      try connection.rows(
        RetentionQuery.ofAuthor, author, last.createdAt, last.id, pruning.end, Self.slicePosts,
        read: PrunablePost.init(row:))
    case .source, .programs:
      try connection.rows(
        RetentionQuery.byTime, last.createdAt, last.id, pruning.end, Self.slicePosts, read: PrunablePost.init(row:))
    }
  }

  private func isInScope(_ post: PrunablePost, _ scope: Pruning.Scope) throws(StoreError) -> Bool {
    switch scope {
    case .author: true
    case .source(let source): post.source == source
    case .programs: try programs.speak(for: post.source)
    }
  }

  private func origin(of post: PrunablePost) throws(StoreError) -> Origin {
    Origin(source: post.source, feed: try connection.number(RetentionQuery.feedOfAuthor, post.author) ?? 0)
  }

  /// Removes a post if it may go, with what only came inside it. Returns the number of posts removed.
  private func remove(_ post: PrunablePost) throws(StoreError) -> Int {
    // An earlier one may have taken it along.
    guard try mayGo(post), let row = try listed.listed(post.id) else { return 0 }
    let before = transaction.changes.removed.count
    try removal.remove(row)
    if let original = post.original,
      let orphan = try connection.first(RetentionQuery.orphan, original, read: PrunablePost.init(row:)),
      try mayGo(orphan), let row = try listed.listed(orphan.id)
    {
      try removal.remove(row)
    }
    return transaction.changes.removed.count - before
  }

  private func mayGo(_ post: PrunablePost) throws(StoreError) -> Bool {
    guard !post.isUsed, try identities.accounts(of: post.author).isEmpty,
      try !connection.hasRow(RetentionQuery.isAnswered, post.id)
    else { return false }
    // Its reposts would go along.
    let along = try connection.rows(ImportRunQuery.reposts, post.id) { PostID($0.integer(0)) }
    for id in [post.id] + along where try wasImported(id) { return false }
    return true
  }

  /// Returns true if an import brought a post first, among the imports that can still be taken back.
  private func wasImported(_ post: PostID) throws(StoreError) -> Bool {
    try connection.hasRow(ImportRunQuery.ofPost, post)
  }
}

extension KeepRule? {
  /// Stores the rule of a source or, if `feed` is not 0, of a feed; nil for that of all feeds.
  ///
  /// - Throws: ``Refusal/unusableRule`` if it is out of range.
  func save(for source: Int64, feed: Int64, to connection: Connection) throws {
    guard self?.isUsable != false else { throw Refusal.unusableRule }
    try connection.run(RetentionQuery.setRule, source, feed, self?.columns.days, self?.columns.posts)
  }
}

/// A post, as far as its removal depends on it.
private struct PrunablePost {
  var id: PostID
  var createdAt: Instant
  var author: AuthorID
  var source: Int64
  /// The original of a repost.
  var original: PostID?
  /// True if an account here has a part in it, or in the original of a repost.
  var isUsed: Bool

  /// Reads the columns that ``RetentionQuery`` calls `post`.
  init(row: Statement) {
    id = PostID(row.integer(0))
    createdAt = Instant(milliseconds: row.integer(1))
    author = AuthorID(row.integer(2))
    source = row.integer(3)
    original = row.optionalInteger(4).map { PostID($0) }
    isUsed = PostMarks(trusted: row.bytes(7)).isUsed(
      withOwner: AccountID(row.integer(5)), imported: PackedBody(trusted: row.bytes(6)).flags)
  }
}
