internal import Posts

/// What accounts say of whether they have read posts (docs/adr/0026).
struct ReadMarks {
  private let posts: PostReader
  private let accounts: AccountReader
  private let requests: RequestLog
  private let rows: MarkRows
  private let undo: UndoLog

  init(_ connection: Connection, rows: MarkRows, undo: UndoLog) {
    posts = PostReader(connection)
    accounts = AccountReader(connection)
    requests = RequestLog(connection)
    (self.rows, self.undo) = (rows, undo)
  }

  /// Has an account say of posts that they are read, or unread, in one step; what it said so already stays so. Of a
  /// repost it is said of its original. Returns of how many it said something else before; 0 where an earlier command
  /// with the same request id did it.
  ///
  /// - Throws: ``Refusal/noSuchPost(_:)`` where one of them is not there for the account; nothing has changed then.
  ///   O(posts).
  func mark(_ marking: ReadMarking) throws -> Int {
    let account = try accounts.existing(marking.account)
    try requests.check(marking.requestID)
    guard marking.posts.count <= StoreLimits.readMarksAtOnce else {
      throw Refusal.tooMany("posts at once", limit: StoreLimits.readMarksAtOnce)
    }
    var subjects: [StoredPost] = []
    var seen: Set<PostID> = []
    for id in marking.posts {
      guard let post = try posts.subject(of: id, visibleTo: account.id) else { throw Refusal.noSuchPost(id) }
      if seen.insert(post.id).inserted { subjects.append(post) }
    }
    guard let first = subjects.first, try requests.done(by: marking.requestID, account.id) == nil else { return 0 }
    try requests.remember(marking.requestID, account.id, .post(first.id))
    let reading = marking.isRead ? ReadMark.read : .unread
    var changes: [ReadChange] = []
    for var post in subjects {
      let before = post.mark(of: account.id).reading
      guard post.set(reading, of: account.id) else { continue }
      try rows.save(post.marks, of: post.id)
      changes.append(ReadChange(post: post.id, before: before, after: reading))
    }
    if !changes.isEmpty { try undo.record(.reading(changes), of: account.id) }
    return changes.count
  }

  /// Has an account say of posts what a step tells. Posts that are gone are passed over.
  ///
  /// - Throws: ``Refusal/noSuchPost(_:)`` where all of them are gone.
  func markAgain(_ changes: [ReadChange], _ account: AccountID) throws {
    var isOneLeft = false
    for change in changes {
      guard try posts.post(change.post, visibleTo: account) != nil, var post = try posts.post(change.post) else {
        continue
      }
      isOneLeft = true
      if post.set(change.after, of: account) { try rows.save(post.marks, of: post.id) }
    }
    if !isOneLeft { throw Refusal.noSuchPost(changes[0].post) }
  }
}
