internal import Posts

extension PostStore {
  /// Takes a post away with its reposts, and lets go of what answers it. Only the account that wrote or first imported
  /// it may, and only if it is by that account: what somebody brought here of another's stays.
  func deletePost(_ id: AccountID, _ post: PostID, _ requestID: String) throws -> Outcome {
    _ = try existing(id)
    try check(requestID: requestID)
    // It may be there again: then somebody has taken the deletion back meanwhile.
    if try made(by: requestID, id) == .deletion(post) { return .postDeleted(post) }
    try takeAway(post, of: id)
    try remember(requestID, id, .deletion(post))
    return .postDeleted(post)
  }

  /// Takes a post of an account away, as a step of it.
  func takeAway(_ post: PostID, of id: AccountID) throws {
    guard let seen = try self.post(post, visibleTo: id), let row = try listed(post) else {
      throw Refusal.noSuchPost(post)
    }
    guard row.owner == id, try identities().accounts(of: row.author).contains(id) else { throw Refusal.notOwn(post) }
    if try upstream(of: seen.subject) != nil { return try takeBack(row, of: seen.subject, by: id) }
    let isMarked = seen.subject != post && seen.mark(of: id).contains(.reposted)
    try throwAway(row, into: try record(.post(post, isThere: false, isMarked: isMarked), of: id))
    if seen.subject != post { try unmark(seen.subject, repostedBy: id) }
  }

  /// Takes away a post of a source that is told of it, or a repost of one.
  private func takeBack(_ row: ListedPost, of subject: PostID, by account: AccountID) throws {
    if subject != row.id {
      let marking = Marking(account: account, post: subject, mark: .reposted, isOn: false, at: row.createdAt)
      // Of one that was imported nobody may have said that it is there.
      if try !mark(marking).hasChanged { try remove(row) }
      return
    }
    let before = try outbox(of: subject)
    var after = before
    let consequence = after.delete(by: account, audience: row.audience.number)
    if after.entries.count > before.entries.count { try checkOutbox(of: account) }
    // Nothing of it is kept: what a source elsewhere has deleted does not come back.
    try record(.post(subject, isThere: false), of: account)
    _ = try settle(subject, after, insteadOf: before, [consequence])
  }

  /// A post that was reposted may be a repost itself: what hangs on what hangs on it goes too.
  func remove(_ post: ListedPost) throws(StoreError) {
    let replies = try replies(to: post.id)
    if !replies.isEmpty { try disconnectReplies(to: post, replies) }
    try delete(post)
    for repost in try reposts(of: post.id) {
      if let row = try listed(repost.id) { try remove(row) }
    }
  }

  /// Has replies wait again for what they answer: it may come back with another import.
  private func disconnectReplies(to post: ListedPost, _ replies: [ListedPost]) throws(StoreError) {
    let statement = try connection.statement(.disconnectReplies)
    defer { statement.reset() }
    statement.bind(1, post.id.rawValue)
    _ = try statement.step()
    transaction!.hasWaiting.removeAll()
    let wereMentions = try !identities().accounts(of: post.author).isEmpty
    for reply in replies {
      transaction!.touch(reply.id)
      for repost in try reposts(of: reply.id) { transaction!.touch(repost.id) }
      guard wereMentions, let row = try listed(reply.id) else { continue }
      try refile(row, from: row.orderKey, row.author, row.audience)
    }
  }
}
