internal import Posts

/// Takes posts away that accounts wrote.
struct Deleting {
  private let accounts: AccountReader
  private let posts: PostReader
  private let requests: RequestLog
  private let identities: IdentityLookup
  private let listed: ListedPosts
  private let removal: Removal
  private let outbox: Outbox
  private let settling: Settling
  private let reposts: Reposts
  private let marks: Marks
  private let undo: UndoLog

  init(
    _ connection: Connection, identities: IdentityLookup, listed: ListedPosts, removal: Removal, outbox: Outbox,
    settling: Settling, reposts: Reposts, marks: Marks, undo: UndoLog
  ) {
    accounts = AccountReader(connection)
    posts = PostReader(connection)
    requests = RequestLog(connection)
    (self.identities, self.listed, self.removal, self.outbox) = (identities, listed, removal, outbox)
    (self.settling, self.reposts, self.marks, self.undo) = (settling, reposts, marks, undo)
  }

  /// Takes a post away with its reposts, and lets go of what answers it. Only the account that wrote or first imported
  /// it may, and only if it is by that account: what somebody brought here of another's stays.
  func delete(_ post: PostID, by id: AccountID, _ requestID: String) throws {
    _ = try accounts.existing(id)
    try requests.check(requestID)
    // It may be there again: then somebody has taken the deletion back meanwhile.
    if try requests.done(by: requestID, id) == .deletion(post) { return }
    try takeAway(post, of: id)
    try requests.remember(requestID, id, .deletion(post))
  }

  /// Takes a post of an account away, as a step of it.
  func takeAway(_ post: PostID, of id: AccountID) throws {
    guard let seen = try posts.post(post, visibleTo: id), let row = try listed.listed(post) else {
      throw Refusal.noSuchPost(post)
    }
    guard row.owner == id, try identities.accounts(of: row.author).contains(id) else { throw Refusal.notOwn(post) }
    if try outbox.upstream(of: seen.subject) != nil { return try takeBack(row, of: seen.subject, by: id) }
    let isMarked = seen.subject != post && seen.mark(of: id).contains(.reposted)
    let step = try undo.record(.post(post, isThere: false, isMarked: isMarked), of: id)
    try removal.remove(row, into: step)
    if seen.subject != post { try reposts.unmark(seen.subject, by: id) }
  }

  /// Takes away a post of a source that is told of it, or a repost of one.
  private func takeBack(_ row: ListedPost, of subject: PostID, by account: AccountID) throws {
    if subject != row.id {
      let marking = Marking(account: account, post: subject, mark: .reposted, isOn: false, at: row.createdAt)
      // Of one that was imported nobody may have said that it is there.
      if try !marks.mark(marking).hasChanged { try removal.remove(row) }
      return
    }
    let before = try outbox.entries(of: subject)
    var after = before
    let consequence = after.delete(by: account, audience: row.audience.number)
    if after.entries.count > before.entries.count { try outbox.checkRoom(of: account) }
    // Nothing of it is kept: what a source elsewhere has deleted does not come back.
    try undo.record(.post(subject, isThere: false), of: account)
    _ = try settling.settle(subject, after, insteadOf: before, [consequence])
  }
}
