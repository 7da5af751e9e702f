internal import Posts

/// Mutes conversations (behaviour.md, rule 48). All posts of one that an account has muted have its mark `muted`; what
/// came to it while it was muted has `withheld` besides, and is hidden where posts come by themselves. The first post
/// stands for the conversation in what the account has muted.
struct ConversationMutes {
  private let connection: Connection
  private let rows: MarkRows
  private let posts: PostReader

  init(_ connection: Connection, _ rows: MarkRows) {
    (self.connection, self.rows) = (connection, rows)
    posts = PostReader(connection)
  }

  /// Mutes the conversation around a post for an account, or takes that back; what was withheld of it once is hidden
  /// again, or shown. Returns its first post; nil where it was so already. O(posts of the conversation).
  func set(_ isOn: Bool, around post: PostID, of account: AccountID) throws -> PostID? {
    let first = try first(of: post, for: account)
    var hasChanged = false
    for var other in try posts.conversation(of: first, visibleTo: account, limit: .max) {
      guard other.set(.muted, isOn, of: account) else { continue }
      hasChanged = true
      try rows.save(other.marks, of: other.id)
      if !isOn { try connection.run(MuteQuery.deleteConversation, account, other.id) }
    }
    guard hasChanged else { return nil }
    if isOn {
      guard try connection.count(MuteQuery.conversationCount, account) < StoreLimits.quietAuthors else {
        throw Refusal.tooMany("muted conversations", limit: StoreLimits.quietAuthors)
      }
      try connection.run(MuteQuery.insertConversation, account, first)
    }
    rows.transaction.noteMutes(of: account)
    return first
  }

  /// Withholds a new post from all who have muted what it answers. One that an import says its owner has muted, and
  /// that answers nothing, is the first of a muted conversation.
  func note(_ row: PostRow) throws(StoreError) {
    let isKnownMuted = row.body.flags.contains(.muted)
    if row.reply.to == nil, isKnownMuted {
      try connection.run(MuteQuery.insertConversation, row.owner, row.id)
      rows.transaction.noteMutes(of: row.owner)
    }
    guard let parent = row.reply.to, try connection.flag(MuteQuery.hasConversations) else { return }
    let accounts = try posts.post(parent)?.accounts(with: .muted) ?? []
    guard !accounts.isEmpty, var post = try posts.post(row.id) else { return }
    // What an import says of its owner holds.
    for account in accounts where !isKnownMuted || account != row.owner {
      _ = post.set([.muted, .withheld], true, of: account)
    }
    try rows.save(post.marks, of: row.id)
  }

  /// Has what answers a post that goes stand for its conversation.
  func passOn(from post: PostID) throws(StoreError) {
    if try connection.flag(MuteQuery.hasConversations) { try connection.run(MuteQuery.inheritConversation, post) }
  }

  /// Forgets a post that goes: it stands for no conversation any more.
  func forget(_ post: PostID) throws(StoreError) {
    guard try connection.flag(MuteQuery.hasConversations) else { return }
    for account in try connection.rows(MuteQuery.mutedBy, post, read: { AccountID($0.integer(0)) }) {
      try connection.run(MuteQuery.deleteConversation, account, post)
      rows.transaction.noteMutes(of: account)
    }
  }

  private func first(of post: PostID, for account: AccountID) throws(StoreError) -> PostID {
    var first = post
    for _ in 0..<StoreLimits.conversationPosts {
      guard let parent = try posts.post(first)?.inReplyTo, try posts.post(parent, visibleTo: account) != nil else {
        break
      }
      first = parent
    }
    return first
  }
}
