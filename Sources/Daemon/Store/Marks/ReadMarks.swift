internal import Posts

/// Marks posts as read or unread (docs/adr/0026).
final class ReadMarks {
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

  /// Marks posts as read or unread, in one undo entry. A mark on a repost is set on its original.
  /// Returns the number of posts that changed; 0 if an earlier command with the same request ID did it. O(posts).
  ///
  /// - Throws: ``Refusal/noSuchPost(_:)`` if the account cannot see one of them; nothing has changed then.
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
    guard let first = subjects.first, try requests.record(for: marking.requestID, account.id) == nil else { return 0 }
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

  /// Applies the read marks of an undo entry. Posts that are gone are skipped.
  ///
  /// - Throws: ``Refusal/noSuchPost(_:)`` if all of them are gone.
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
