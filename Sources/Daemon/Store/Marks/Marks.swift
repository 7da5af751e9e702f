internal import Dates
internal import Posts

/// Sets the marks of posts (docs/BEHAVIOUR.md, rules 44 and 45).
final class Marks {
  private let posts: PostReader
  private let accounts: AccountReader
  private let requests: RequestLog
  private let rows: MarkRows
  private let outbox: Outbox
  private let reposts: Reposts
  private let undo: UndoLog
  private let conversations: ConversationMutes

  init(_ connection: Connection, rows: MarkRows, outbox: Outbox, reposts: Reposts, undo: UndoLog) {
    posts = PostReader(connection)
    accounts = AccountReader(connection)
    requests = RequestLog(connection)
    (self.rows, self.outbox, self.reposts, self.undo) = (rows, outbox, reposts, undo)
    conversations = ConversationMutes(connection, rows)
  }

  /// Favourites, reposts or saves a post, or mutes its conversation, or reverses that; does nothing if it is so
  /// already. A mark on a repost is set on its original.
  func mark(_ marking: Marking) throws -> MarkedPost {
    let account = try accounts.existing(marking.account)
    try requests.check(marking.requestID)
    guard var post = try posts.subject(of: marking.post, visibleTo: account.id) else {
      throw Refusal.noSuchPost(marking.post)
    }
    let subject = post.id
    if let earlier = try requests.record(for: marking.requestID, account.id) {
      let repost = earlier == .post(subject) ? try repost(of: subject, by: marking) : nil
      return MarkedPost(post: subject, hasChanged: false, earlierRepost: repost)
    }
    if [.favourited, .reposted].contains(marking.mark), marking.isOn, post.body.flags.contains(.notice) {
      throw Refusal.isNotice(subject)
    }
    if marking.mark == .reposted, marking.isOn, post.audience != .everyone, try !outbox.isUnconfirmed(subject) {
      throw Refusal.notForEverybody(subject)
    }
    if marking.mark == .muted {
      let first = try conversations.setMute(marking.isOn, around: subject, of: account.id)
      try requests.remember(marking.requestID, account.id, .post(subject))
      if let first { try undo.record(.mark(first, .muted, isOn: marking.isOn), of: account.id) }
      return MarkedPost(post: subject, hasChanged: first != nil)
    }
    let outboxChange = try outboxChange(marking, post)
    try requests.remember(marking.requestID, account.id, .post(subject))
    var marked = MarkedPost(post: subject, hasChanged: post.set(marking.mark, marking.isOn, of: account.id))
    if marked.hasChanged {
      try rows.save(post.marks, of: subject)
      let undoEntry = try undo.record(.mark(subject, marking.mark, isOn: marking.isOn), of: account.id)
      if marking.mark == .reposted {
        // A retracted repost gets a new name at its source, so it is made anew and not restored.
        marked.repost = try reposts.setRepost(
          marking.isOn, of: post, by: account, madeAt: marking.at, undoEntry: outboxChange == nil ? undoEntry : nil)
      }
    }
    if let outboxChange { try outbox.save(outboxChange.after, insteadOf: outboxChange.before, of: subject) }
    return marked
  }

  /// Returns the repost that an earlier command with the same request ID made, unless it is gone.
  private func repost(of subject: PostID, by marking: Marking) throws(StoreError) -> PostID? {
    guard marking.mark == .reposted, marking.isOn else { return nil }
    return try reposts.own(of: subject, marking.account).first?.id
  }

  /// Returns the outbox of the post before and after the mark; nil if its source has no upstream program.
  private func outboxChange(_ marking: Marking, _ post: StoredPost) throws -> (before: PostOutbox, after: PostOutbox)? {
    guard let operation = OutboxEntry.Operation.allCases.first(where: { $0.mark == marking.mark }) else { return nil }
    if operation == .save, try !outbox.keepsBookmark(of: post.id, by: marking.account) { return nil }
    guard try outbox.upstream(of: post.id, for: operation) != nil else { return nil }
    let before = try outbox.entries(of: post.id)
    var after = before
    var instant = marking.at
    if operation == .repost, !marking.isOn, let repost = try reposts.own(of: post.id, marking.account).first {
      instant = repost.createdAt
    }
    after.want(
      operation, marking.isOn, was: post.mark(of: marking.account).contains(marking.mark), by: marking.account,
      madeAt: instant.milliseconds)
    if after.entries.count > before.entries.count { try outbox.checkRoom(of: marking.account) }
    return (before, after)
  }
}

extension Mark {
  /// Returns a description of setting or clearing one mark, to follow "Undone:".
  func undoDescription(_ isOn: Bool, _ post: String) -> String {
    switch (self, isOn) {
    case (.favourited, true): "favouriting \(post)"
    case (.favourited, false): "unfavouriting \(post)"
    case (.reposted, true): "reposting \(post)"
    case (.reposted, false): "unreposting \(post)"
    case (.muted, true): "muting the conversation of \(post)"
    case (.muted, false): "unmuting the conversation of \(post)"
    case (_, true): "saving \(post)"
    case (_, false): "unsaving \(post)"
    }
  }
}
