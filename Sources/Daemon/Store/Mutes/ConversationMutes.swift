internal import Posts

/// Mutes conversations (docs/BEHAVIOUR.md, rule 48). All posts of a muted conversation have the account's mark `muted`;
/// those that arrived while it was muted also have `withheld` and are hidden from timelines.
///
/// A muted post whose parent is not muted represents its conversation in the mute list. It has a row of its own, which
/// stays when the post is deleted, because the post may be restored.
struct ConversationMutes {
  private let connection: Connection
  private let rows: MarkRows
  private let posts: PostReader

  init(_ connection: Connection, _ rows: MarkRows) {
    (self.connection, self.rows) = (connection, rows)
    posts = PostReader(connection)
  }

  /// Mutes or unmutes the conversation around a post for an account; posts that were ever withheld are hidden again or
  /// shown. Returns the first post of the conversation; nil if nothing changed. O(posts of the conversation), of which
  /// ``StoreLimits/conversationPosts`` are looked at.
  func setMute(_ isOn: Bool, around post: PostID, of account: AccountID) throws -> PostID? {
    if isOn, try connection.count(MuteQuery.conversationCount, account) >= StoreLimits.mutedAuthors {
      throw Refusal.tooMany("muted conversations", limit: StoreLimits.mutedAuthors)
    }
    let first = try first(of: post, for: account)
    var hasChanged = false
    for var other in try posts.conversation(of: first, visibleTo: account, limit: .max) {
      if other.set(.muted, isOn, of: account) {
        try rows.save(other.marks, of: other.id)
        hasChanged = true
      }
      if !isOn || other.id != first, try remove(other.id, account), !isOn { hasChanged = true }
    }
    if isOn, try add(first, account) { hasChanged = true }
    return hasChanged ? first : nil
  }

  /// Withholds a new post from all accounts that muted its parent. A mute that an import reports for the owner is
  /// applied, also when the post is imported again.
  func applyMutes(to row: PostRow) throws(StoreError) {
    if row.body.flags.contains(.muted), var post = try posts.post(row.id) {
      post.marks.addOwnerEntry(row.owner, imported: row.body.flags)
      try rows.save(post.marks, of: row.id)
      let parent = try row.reply.to.flatMap { parent throws(StoreError) in try posts.post(parent) }
      if parent?.mark(of: row.owner).contains(.muted) != true { _ = try add(row.id, row.owner) }
    }
    if let parent = row.reply.to { try withholdReply(row.id, to: parent) }
  }

  /// Withholds a post and all its replies from the accounts that muted its parent, which was connected just now.
  func withholdReply(_ reply: PostID, to parent: PostID) throws(StoreError) {
    guard try connection.flag(MuteQuery.hasConversations), let parent = try posts.post(parent) else { return }
    for account in parent.accounts(with: .muted) {
      _ = try remove(reply, account)
      let all = try posts.conversation(of: reply, visibleTo: account, limit: .max)
      let replies = Dictionary(grouping: all, by: \.inReplyTo)
      var waiting = all.filter { $0.id == reply }
      while var post = waiting.popLast() {
        waiting += replies[post.id] ?? []
        guard !post.mark(of: account).contains(.muted) else { continue }
        _ = post.set([.muted, .withheld], true, of: account)
        try rows.save(post.marks, of: post.id)
      }
    }
  }

  /// Lets the replies to a post that is deleted represent the conversation instead.
  func passMutesToReplies(of post: PostID) throws(StoreError) {
    guard try connection.flag(MuteQuery.hasConversations), let post = try posts.post(post) else { return }
    for account in post.accounts(with: .muted) {
      try connection.run(MuteQuery.inheritConversation, account, post.id)
      rows.transaction.noteMutes(of: account)
    }
  }

  private func add(_ post: PostID, _ account: AccountID) throws(StoreError) -> Bool {
    recordChange(try connection.change(MuteQuery.insertConversation, account, post), of: account)
  }

  private func remove(_ post: PostID, _ account: AccountID) throws(StoreError) -> Bool {
    recordChange(try connection.change(MuteQuery.deleteConversation, account, post), of: account)
  }

  private func recordChange(_ hasChanged: Bool, of account: AccountID) -> Bool {
    if hasChanged { rows.transaction.noteMutes(of: account) }
    return hasChanged
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
