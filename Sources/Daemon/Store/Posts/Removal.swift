internal import Posts

/// Takes posts away with what hangs on them.
struct Removal {
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

  /// Takes a post away with its reposts, and lets go of what answers it; where a step does so, into its trash. A post
  /// that was reposted may be a repost itself: what hangs on what hangs on it goes too.
  func remove(_ post: ListedPost, into step: StepID? = nil) throws(StoreError) {
    let replies = try listed.replies(to: post.id)
    if !replies.isEmpty { try disconnect(replies, from: post) }
    try rows.delete(post, into: step)
    for repost in try PostReader(connection).reposts(of: post.id) {
      if let row = try listed.listed(repost.id) { try remove(row, into: step) }
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
