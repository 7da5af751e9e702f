internal import Posts

/// Deletes posts with their reposts.
final class Removal {
  private let connection: Connection
  private let transaction: Transaction
  private let rows: PostRows
  private let listed: ListedPosts
  private let filing: Filing
  private let identities: IdentityLookup

  init(
    _ connection: Connection, _ transaction: Transaction, rows: PostRows, listed: ListedPosts, filing: Filing,
    identities: IdentityLookup
  ) {
    (self.connection, self.transaction, self.rows) = (connection, transaction, rows)
    (self.listed, self.filing, self.identities) = (listed, filing, identities)
  }

  /// Deletes a post with its reposts and disconnects its replies; with an undo entry, the rows are kept in its deleted
  /// posts. A post that was reposted may be a repost itself, so deletion recurses.
  func remove(_ post: ListedPost, into undoEntry: UndoEntryID? = nil) throws(StoreError) {
    let replies = try listed.replies(to: post.id)
    if !replies.isEmpty { try disconnect(replies, from: post) }
    try rows.delete(post, into: undoEntry)
    for repost in try PostReader(connection).reposts(of: post.id) {
      if let row = try listed.listed(repost.id) { try remove(row, into: undoEntry) }
    }
  }

  private func disconnect(_ replies: [ListedPost], from post: ListedPost) throws(StoreError) {
    try rows.disconnectReplies(to: post.id)
    let wereMentions = try !identities.accounts(of: post.author).isEmpty
    for reply in replies {
      transaction.touch(reply.id)
      for repost in try PostReader(connection).reposts(of: reply.id) { transaction.touch(repost.id) }
      guard wereMentions, let row = try listed.listed(reply.id) else { continue }
      try filing.refile(row)
    }
  }
}
