internal import Posts

/// Restores posts that undo entries deleted, with their IDs, names, marks and reposts.
final class DeletedPosts {
  private let transaction: Transaction
  private let deletedPosts: DeletedPostRows
  private let posts: PostReader
  private let sources: Sources
  private let rows: PostRows
  private let marks: MarkRows
  private let replyCounts: ReplyCounts
  private let replies: ReplyTargets
  private let filing: Filing

  init(
    _ connection: Connection, _ transaction: Transaction, sources: Sources, rows: PostRows, marks: MarkRows,
    replyCounts: ReplyCounts, replies: ReplyTargets, filing: Filing
  ) {
    self.transaction = transaction
    deletedPosts = DeletedPostRows(connection)
    posts = PostReader(connection)
    (self.sources, self.rows, self.marks) = (sources, rows, marks)
    (self.replyCounts, self.replies, self.filing) = (replyCounts, replies, filing)
  }

  /// Restores a post that an undo entry deleted, and its reposts. `isMarked` is true for a repost that its original's
  /// marks recorded.
  ///
  /// - Throws: a `Refusal` if the post is not among the deleted ones, or its name is taken; nothing has changed then.
  func bringBack(_ id: PostID, of undoEntry: UndoEntryID, isMarked: Bool) throws {
    let deleted = try deletedPosts.posts(of: undoEntry)
    guard let first = deleted.first(where: { $0.row.id == id }) else { throw Refusal.noSuchPost(id) }
    if try deletedPosts.isTaken(first.row.name) { throw Refusal.isThereAgain(id) }
    if let original = first.original, try posts.post(original) == nil { throw Refusal.noSuchPost(original) }
    try bringBack(deleted, undoEntry)
    guard isMarked, let original = first.original, var subject = try posts.post(original) else { return }
    if subject.set(.reposted, true, of: undoEntry.account) { try marks.save(subject.marks, of: original) }
  }

  /// Restores the reposts that an undo entry deleted; returns false if there are none.
  func bringBackReposts(of undoEntry: UndoEntryID) throws(StoreError) -> Bool {
    let deleted = try deletedPosts.posts(of: undoEntry)
    try bringBack(deleted, undoEntry)
    return !deleted.isEmpty
  }

  private func bringBack(_ posts: [DeletedPost], _ undoEntry: UndoEntryID) throws(StoreError) {
    // An original has a lower ID than its reposts, or does not belong to this undo entry.
    for deleted in posts where try !deletedPosts.isTaken(deleted.row.name) { try bringBack(deleted, undoEntry) }
    try deletedPosts.discardPosts(of: undoEntry)
  }

  private func bringBack(_ deleted: DeletedPost, _ undoEntry: UndoEntryID) throws(StoreError) {
    var row = deleted.row
    if let original = deleted.original {
      guard let post = try posts.post(original) else { return }
      row.original = (original, post.audience)
    }
    if let parent = row.reply.to, try posts.post(parent) == nil { row.reply.to = nil }
    if row.reply.to == nil, let key = row.reply.key {
      row.reply.to = try replies.target(of: key, source: row.name.source, owner: row.owner)
    }
    try rows.insert(row)
    if !deleted.marks.bytes.isEmpty { try marks.save(deleted.marks, of: row.id) }
    // Replies may have come and gone since.
    replyCounts.recount(row.id)
    try rows.storeNative(deleted.native, of: row.id)
    let aliases = try deletedPosts.aliases(row.id, of: undoEntry)
    for alias in aliases { _ = try rows.add(alias: alias, source: row.name.source, of: row.id) }
    for (account, kind) in try deletedPosts.importers(row.id, of: undoEntry) {
      _ = try filing.fileImported(row.orderKey, audience: row.audience, by: account, in: kind)
    }
    transaction.noteReturned(row.id)
    transaction.touch(row.id)
    try connectWaiting(to: row, called: aliases)
  }

  /// Reconnects the replies that have waited for a post since it was deleted.
  private func connectWaiting(to row: PostRow, called aliases: [String]) throws(StoreError) {
    var waiting: [PostID] = []
    for name in [row.name.nativeID] + aliases {
      waiting += try replies.waiting(for: name, source: row.name.source, audience: row.audience)
    }
    if let source = try sources.name(of: row.name.source) {
      waiting += try replies.localWaiting(for: row.name.nativeID, source: source, audience: row.audience)
    }
    for reply in waiting where reply != row.id {
      try rows.connect(reply, to: row.original?.id ?? row.id)
      transaction.touch(reply)
      for repost in try posts.reposts(of: reply) { transaction.touch(repost.id) }
    }
  }
}
