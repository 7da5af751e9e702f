internal import Dates
internal import Posts

/// What accounts do to posts that are there (behaviour.md, rules 44 and 45).
struct Marks {
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

  /// Has an account favourite, repost or save a post, or mute its conversation, or takes that back; what is so already
  /// stays so. A repost is done to its original.
  func mark(_ marking: Marking) throws -> MarkedPost {
    let account = try accounts.existing(marking.account)
    try requests.check(marking.requestID)
    guard var post = try posts.subject(of: marking.post, visibleTo: account.id) else {
      throw Refusal.noSuchPost(marking.post)
    }
    let subject = post.id
    if let earlier = try requests.done(by: marking.requestID, account.id) {
      let repost = earlier == .post(subject) ? try repost(of: subject, by: marking) : nil
      return MarkedPost(post: subject, hasChanged: false, earlierRepost: repost)
    }
    if marking.mark == .reposted, marking.isOn, post.audience != .everyone, try !outbox.isUnconfirmed(subject) {
      throw Refusal.notForEverybody(subject)
    }
    if marking.mark == .muted {
      let first = try conversations.set(marking.isOn, around: subject, of: account.id)
      try requests.remember(marking.requestID, account.id, .post(subject))
      if let first { try undo.record(.mark(first, .muted, isOn: marking.isOn), of: account.id) }
      return MarkedPost(post: subject, hasChanged: first != nil)
    }
    let wish = try wish(marking, post)
    try requests.remember(marking.requestID, account.id, .post(subject))
    var marked = MarkedPost(post: subject, hasChanged: post.set(marking.mark, marking.isOn, of: account.id))
    if marked.hasChanged {
      try rows.save(post.marks, of: subject)
      let step = try undo.record(.mark(subject, marking.mark, isOn: marking.isOn), of: account.id)
      if marking.mark == .reposted {
        // What a source elsewhere has taken back it calls something else when it has it again.
        marked.repost = try reposts.show(
          marking.isOn, of: post, by: account, madeAt: marking.at, step: wish == nil ? step : nil)
      }
    }
    if let wish { try outbox.save(wish.after, insteadOf: wish.before, of: subject) }
    return marked
  }

  /// The repost that an earlier command with the same request id made, unless it has gone since.
  private func repost(of subject: PostID, by marking: Marking) throws(StoreError) -> PostID? {
    guard marking.mark == .reposted, marking.isOn else { return nil }
    return try reposts.own(of: subject, marking.account).first?.id
  }

  /// What is wanted of the post's source now and was before, where that is told.
  private func wish(_ marking: Marking, _ post: StoredPost) throws -> (before: PostOutbox, after: PostOutbox)? {
    guard [.favourited, .reposted].contains(marking.mark), try outbox.upstream(of: post.id) != nil else { return nil }
    let before = try outbox.entries(of: post.id)
    var after = before
    let errand: OutboxEntry.Errand = marking.mark == .reposted ? .repost : .favourite
    var instant = marking.at
    if errand == .repost, !marking.isOn, let repost = try reposts.own(of: post.id, marking.account).first {
      instant = repost.createdAt
    }
    after.want(
      errand, marking.isOn, was: post.mark(of: marking.account).contains(marking.mark), by: marking.account,
      madeAt: instant.milliseconds)
    if after.entries.count > before.entries.count { try outbox.checkRoom(of: marking.account) }
    return (before, after)
  }
}

extension Mark {
  /// The words for giving a post one of the marks, or for taking it back, that go on after "undone:".
  func deed(_ isOn: Bool, _ post: String) -> String {
    switch (self, isOn) {
    case (.favourited, true): "favouriting \(post)"
    case (.favourited, false): "taking the favourite of \(post) back"
    case (.reposted, true): "reposting \(post)"
    case (.reposted, false): "taking the repost of \(post) back"
    case (.muted, true): "muting the conversation of \(post)"
    case (.muted, false): "no longer muting the conversation of \(post)"
    case (_, true): "saving \(post)"
    case (_, false): "no longer saving \(post)"
    }
  }
}
