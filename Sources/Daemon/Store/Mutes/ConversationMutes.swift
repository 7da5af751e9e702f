internal import Posts

/// Mutes conversations (behaviour.md, rule 48). All posts of one that an account has muted have its mark `muted`; what
/// came to it while it was muted has `withheld` besides, and is hidden where posts come by themselves.
///
/// Posts that have the mark, and answer none that has it, stand for their conversations in what is muted: a
/// row each, which stays when the post goes, since it may come back.
struct ConversationMutes {
  private let connection: Connection
  private let rows: MarkRows
  private let posts: PostReader

  init(_ connection: Connection, _ rows: MarkRows) {
    (self.connection, self.rows) = (connection, rows)
    posts = PostReader(connection)
  }

  /// Mutes the conversation around a post for an account, or takes that back; what was withheld of it once is hidden
  /// again, or shown. Returns its first post; nil where it was so already. O(posts of the conversation), of which
  /// ``StoreLimits/conversationPosts`` are looked at.
  func set(_ isOn: Bool, around post: PostID, of account: AccountID) throws -> PostID? {
    if isOn, try connection.count(MuteQuery.conversationCount, account) >= StoreLimits.quietAuthors {
      throw Refusal.tooMany("muted conversations", limit: StoreLimits.quietAuthors)
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

  /// Withholds a new post from all who have muted what it answers. What an import says of its owner holds, also when
  /// the post is imported again.
  func note(_ row: PostRow) throws(StoreError) {
    if row.body.flags.contains(.muted), var post = try posts.post(row.id) {
      post.marks.settle(owner: row.owner, imported: row.body.flags)
      try rows.save(post.marks, of: row.id)
      let parent = try row.reply.to.flatMap { parent throws(StoreError) in try posts.post(parent) }
      if parent?.mark(of: row.owner).contains(.muted) != true { _ = try add(row.id, row.owner) }
    }
    if let parent = row.reply.to { try withhold(row.id, from: parent) }
  }

  /// Withholds a post, and all that answers it, from those who have muted what it is found to answer.
  func withhold(_ reply: PostID, from parent: PostID) throws(StoreError) {
    guard try connection.flag(MuteQuery.hasConversations), let parent = try posts.post(parent) else { return }
    for account in parent.accounts(with: .muted) {
      _ = try remove(reply, account)
      let all = try posts.conversation(of: reply, visibleTo: account, limit: .max)
      let answers = Dictionary(grouping: all, by: \.inReplyTo)
      var waiting = all.filter { $0.id == reply }
      while var post = waiting.popLast() {
        waiting += answers[post.id] ?? []
        guard !post.mark(of: account).contains(.muted) else { continue }
        _ = post.set([.muted, .withheld], true, of: account)
        try rows.save(post.marks, of: post.id)
      }
    }
  }

  /// Has what answers a post that goes stand for its part of the conversation.
  func passOn(from post: PostID) throws(StoreError) {
    guard try connection.flag(MuteQuery.hasConversations), let post = try posts.post(post) else { return }
    for account in post.accounts(with: .muted) {
      try connection.run(MuteQuery.inheritConversation, account, post.id)
      rows.transaction.noteMutes(of: account)
    }
  }

  private func add(_ post: PostID, _ account: AccountID) throws(StoreError) -> Bool {
    note(try connection.change(MuteQuery.insertConversation, account, post), account)
  }

  private func remove(_ post: PostID, _ account: AccountID) throws(StoreError) -> Bool {
    note(try connection.change(MuteQuery.deleteConversation, account, post), account)
  }

  private func note(_ hasChanged: Bool, _ account: AccountID) -> Bool {
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
