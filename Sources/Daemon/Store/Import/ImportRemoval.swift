internal import Dates
internal import Posts

/// Removes posts that imports brought, in slices.
///
/// What was written here stays, and so does what other accounts have a part in: posts that they imported too, answered,
/// reposted, favourited or saved. Posts that an import only changed stay as they are.
final class ImportRemoval {
  private let connection: Connection
  private let transaction: Transaction
  private let accounts: AccountReader
  private let sources: Sources
  private let listed: ListedPosts
  private let removal: Removal
  private let runs: ImportRuns
  private let feeds: Feeds

  /// The number of posts that a slice looks at.
  static let slicePosts = 200

  init(
    _ connection: Connection, _ transaction: Transaction, sources: Sources, listed: ListedPosts, removal: Removal,
    runs: ImportRuns, feeds: Feeds
  ) {
    (self.connection, self.transaction) = (connection, transaction)
    accounts = AccountReader(connection)
    (self.sources, self.listed, self.removal, self.runs, self.feeds) = (sources, listed, removal, runs, feeds)
  }

  /// Removes a slice of the posts.
  ///
  /// - Throws: a `Refusal` if the account has no such import, or the source is that of posts written here.
  func forget(_ forgetting: Forgetting) throws -> Forgotten {
    if let account = forgetting.account { _ = try accounts.existing(account) }
    switch forgetting.subject {
    case .run(let number): return try forget(run: number, forgetting)
    case .source(LocalSource.name): throw Refusal.sourceOfHere
    case .source(let name):
      guard let source = try sources.find(name) else { throw Refusal.unknownSource(name) }
      return try forget(source: source, forgetting)
    }
  }

  private func forget(run number: Int64, _ forgetting: Forgetting) throws -> Forgotten {
    guard let run = try ImportRunReader(connection).stored(number) else {
      // The last slice was done, but its answer may have been lost.
      guard forgetting.cursor == nil else { return Forgotten() }
      throw Refusal.noSuchImport(number)
    }
    guard forgetting.account == nil || forgetting.account == run.account else { throw Refusal.noSuchImport(number) }
    var forgotten = Forgotten()
    var cursor = forgetting.cursor?.id ?? .max
    var left = Self.slicePosts
    while left > 0 {
      guard let range = try connection.first(ImportRunQuery.rangeBefore, number, cursor, read: ClosedRange.init(row:))
      else {
        try runs.remove(number)
        return forgotten
      }
      let last = min(range.upperBound, cursor - 1)
      let posts = try connection.rows(
        ImportRunQuery.inRange, range.lowerBound, last, left, read: ForgettablePost.init(row:))
      for post in posts where post.owner == run.account { try remove(post, forgetting, &forgotten) }
      cursor = posts.count == left ? posts[posts.count - 1].id.rawValue : range.lowerBound
      left -= posts.count
    }
    forgotten.next = Forgetting.Cursor(id: cursor)
    return forgotten
  }

  private func forget(source: Int64, _ forgetting: Forgetting) throws -> Forgotten {
    let cursor = forgetting.cursor ?? Forgetting.Cursor()
    let posts = try connection.rows(
      ImportRunQuery.ofSource, source, cursor.nativeID, cursor.scope, Self.slicePosts, read: ForgettablePost.init(row:))
    var forgotten = Forgotten()
    for post in posts where forgetting.account == nil || post.owner == forgetting.account {
      try remove(post, forgetting, &forgotten)
    }
    if posts.count == Self.slicePosts, let last = posts.last {
      forgotten.next = Forgetting.Cursor(nativeID: last.name.nativeID, scope: last.name.scope)
    } else if forgetting.subject == .source(StoredFeed.source) {
      // Otherwise their posts would never come again.
      try feeds.forgetCursors(addedBy: forgetting.account)
    }
    return forgotten
  }

  private func remove(_ post: ForgettablePost, _ forgetting: Forgetting, _ forgotten: inout Forgotten)
    throws(StoreError)
  {
    // An earlier one may have taken it along.
    guard let row = try listed.listed(post.id) else { return }
    guard try mayGo(post, forgetting) else {
      forgotten.kept += 1
      return
    }
    let before = transaction.changes.removed.count
    try removal.remove(row)
    forgotten.removed += transaction.changes.removed.count - before
  }

  /// Returns true if a post was brought by an import and no other account has a part in it.
  private func mayGo(_ post: ForgettablePost, _ forgetting: Forgetting) throws(StoreError) -> Bool {
    if post.authorSource == (try sources.local()), post.name.source != post.authorSource { return false }
    if forgetting.account == nil { return true }
    if post.isMarkedByOthers { return false }
    if try connection.hasRow(ImportRunQuery.isAnswered, post.id, post.owner) { return false }
    if try connection.hasRow(ImportRunQuery.isShared, post.createdAt, post.id, post.owner) { return false }
    for id in try connection.rows(ImportRunQuery.reposts, post.id, read: { PostID($0.integer(0)) }) {
      guard let repost = try connection.first(ImportRunQuery.postByNumber, id, read: ForgettablePost.init(row:)),
        repost.owner == post.owner
      else { return false }
      // A repost that the account made here goes along; one that another import brought does not.
      if repost.name.source == (try sources.local()) { continue }
      guard try isChosen(repost, forgetting), try mayGo(repost, forgetting) else { return false }
    }
    return true
  }

  private func isChosen(_ post: ForgettablePost, _ forgetting: Forgetting) throws(StoreError) -> Bool {
    switch forgetting.subject {
    case .run(let number): try connection.hasRow(ImportRunQuery.isInRun, number, post.id)
    case .source(let name): try sources.find(name) == post.name.source
    }
  }
}

/// A post, as far as its removal depends on it.
private struct ForgettablePost {
  var id: PostID
  var owner: AccountID
  var authorSource: Int64
  var createdAt: Instant
  var name: PostName
  var isMarkedByOthers: Bool

  /// Reads the columns that ``ImportRunQuery`` calls `post`.
  init(row: Statement) {
    let owner = AccountID(row.integer(1))
    id = PostID(row.integer(0))
    self.owner = owner
    authorSource = row.integer(2)
    createdAt = Instant(milliseconds: row.integer(6))
    name = PostName(source: row.integer(5), nativeID: row.text(7), scope: row.integer(8))
    isMarkedByOthers = PostMarks(trusted: row.bytes(4)).isUsed(besides: owner)
  }
}

extension ClosedRange<Int64> {
  /// Reads both ends from the first two columns.
  init(row: Statement) { self = row.integer(0)...Swift.max(row.integer(0), row.integer(1)) }
}
