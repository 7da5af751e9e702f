internal import Posts

/// Deletes posts that accounts wrote.
final class Deleting {
  private let accounts: AccountReader
  private let posts: PostReader
  private let requests: RequestLog
  private let identities: IdentityLookup
  private let listed: ListedPosts
  private let removal: Removal
  private let outbox: Outbox
  private let resolver: OutboxResolver
  private let reposts: Reposts
  private let marks: Marks
  private let undo: UndoLog

  init(
    _ connection: Connection, identities: IdentityLookup, listed: ListedPosts, removal: Removal, outbox: Outbox,
    resolver: OutboxResolver, reposts: Reposts, marks: Marks, undo: UndoLog
  ) {
    accounts = AccountReader(connection)
    posts = PostReader(connection)
    requests = RequestLog(connection)
    (self.identities, self.listed, self.removal, self.outbox) = (identities, listed, removal, outbox)
    (self.resolver, self.reposts, self.marks, self.undo) = (resolver, reposts, marks, undo)
  }

  /// Deletes a post with its reposts and disconnects its replies. Only the account that wrote or first imported the
  /// post may delete it, and only if the account is its author: posts of other authors that it imported stay.
  func delete(_ post: PostID, by id: AccountID, _ requestID: String) throws {
    _ = try accounts.existing(id)
    try requests.check(requestID)
    // The post may exist again if its deletion was undone meanwhile.
    if try requests.record(for: requestID, id) == .deletion(post) { return }
    try deletePost(post, of: id)
    try requests.remember(requestID, id, .deletion(post))
  }

  /// Deletes a post of an account and records an undo entry.
  func deletePost(_ post: PostID, of id: AccountID) throws {
    guard let seen = try posts.post(post, visibleTo: id), let row = try listed.listed(post) else {
      throw Refusal.noSuchPost(post)
    }
    guard row.owner == id, try identities.accounts(of: row.author).contains(id) else { throw Refusal.notOwn(post) }
    let operation: OutboxEntry.Operation = seen.subject == post ? .delete : .repost
    if try outbox.upstream(of: seen.subject, for: operation) != nil {
      return try deleteUpstream(row, of: seen.subject, by: id)
    }
    let isMarked = seen.subject != post && seen.mark(of: id).contains(.reposted)
    let undoEntry = try undo.record(.post(post, isThere: false, isMarked: isMarked), of: id)
    try removal.remove(row, into: undoEntry)
    if seen.subject != post { try reposts.unmark(seen.subject, by: id) }
  }

  /// Deletes a post, or a repost of a post, of a source that has an upstream program.
  private func deleteUpstream(_ row: ListedPost, of subject: PostID, by account: AccountID) throws {
    if subject != row.id {
      let marking = Marking(account: account, post: subject, mark: .reposted, isOn: false, at: row.createdAt)
      // An imported repost may never have been recorded as a mark.
      if try !marks.mark(marking).hasChanged { try removal.remove(row) }
      return
    }
    let before = try outbox.entries(of: subject)
    var after = before
    let consequence = after.delete(by: account, audience: row.audience.number)
    if after.entries.count > before.entries.count { try outbox.checkRoom(of: account) }
    // The undo entry keeps no row: a post that its source has deleted cannot come back.
    try undo.record(.post(subject, isThere: false), of: account)
    _ = try resolver.resolveOutbox(of: subject, after, insteadOf: before, [consequence])
  }
}
