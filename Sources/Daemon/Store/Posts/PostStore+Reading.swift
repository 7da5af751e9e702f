internal import Posts

/// What accounts say of whether they have read posts (docs/adr/0026).
extension PostStore {
  /// Has an account say of posts that they are read, or unread, in one step; what it said so already stays so. Of a
  /// repost it is said of its original. Returns of how many it said something else before; 0 where an earlier command
  /// with the same request id did it.
  ///
  /// - Throws: ``Refusal/noSuchPost(_:)`` where one of them is not there for the account; nothing has changed then.
  ///   O(posts).
  func markRead(_ marking: ReadMarking) throws -> Int {
    let account = try existing(marking.account)
    try check(requestID: marking.requestID)
    guard marking.posts.count <= StoreLimits.readMarksAtOnce else {
      throw Refusal.tooMany("posts at once", limit: StoreLimits.readMarksAtOnce)
    }
    var subjects: [StoredPost] = []
    var seen: Set<PostID> = []
    for id in marking.posts {
      guard let subject = try post(id, visibleTo: account.id)?.subject, let post = try post(subject) else {
        throw Refusal.noSuchPost(id)
      }
      if seen.insert(subject).inserted { subjects.append(post) }
    }
    guard let first = subjects.first, try made(by: marking.requestID, account.id) == nil else { return 0 }
    try remember(marking.requestID, account.id, .post(first.id))
    let reading = marking.isRead ? ReadMark.read : .unread
    var changes: [ReadChange] = []
    for var post in subjects {
      let before = post.mark(of: account.id).reading
      guard post.set(reading, of: account.id) else { continue }
      try save(post.marks, of: post.id)
      changes.append(ReadChange(post: post.id, before: before, after: reading))
    }
    if !changes.isEmpty { try record(.reading(changes), of: account.id) }
    return changes.count
  }

  /// Has an account say of posts what a step tells. Posts that are gone are passed over.
  ///
  /// - Throws: ``Refusal/noSuchPost(_:)`` where all of them are gone.
  func sayAgain(_ changes: [ReadChange], _ account: AccountID) throws {
    var isOneLeft = false
    for change in changes {
      guard try post(change.post, visibleTo: account) != nil, var post = try post(change.post) else { continue }
      isOneLeft = true
      if post.set(change.after, of: account) { try save(post.marks, of: post.id) }
    }
    if !isOneLeft { throw Refusal.noSuchPost(changes[0].post) }
  }
}
