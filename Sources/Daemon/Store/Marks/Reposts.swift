internal import Dates
internal import Posts

/// Makes and removes reposts, and sets the marks that record them.
final class Reposts {
  private let transaction: Transaction
  private let posts: PostReader
  private let accounts: AccountReader
  private let identities: IdentityLookup
  private let sources: Sources
  private let authors: Authors
  private let listed: ListedPosts
  private let rows: PostRows
  private let marks: MarkRows
  private let removal: Removal
  private let deletedPosts: DeletedPosts

  init(
    _ connection: Connection, _ transaction: Transaction, identities: IdentityLookup, sources: Sources,
    authors: Authors, listed: ListedPosts, rows: PostRows, marks: MarkRows, removal: Removal, deletedPosts: DeletedPosts
  ) {
    self.transaction = transaction
    posts = PostReader(connection)
    accounts = AccountReader(connection)
    (self.identities, self.sources, self.authors, self.listed) = (identities, sources, authors, listed)
    (self.rows, self.marks, self.removal, self.deletedPosts) = (rows, marks, removal, deletedPosts)
  }

  /// Returns the reposts of a post that an account made, or imported as its own.
  func own(of subject: PostID, _ account: AccountID) throws(StoreError) -> [ListedPost] {
    let known = try identities.all()
    var found: [ListedPost] = []
    for repost in try posts.reposts(of: subject) where repost.owner == account {
      if let row = try listed.listed(repost.id), known.accounts(of: row.author).contains(account) { found.append(row) }
    }
    return found
  }

  /// Reposts a post for an account, or removes its reposts. Removed reposts go to the deleted posts of the undo entry,
  /// from which they are restored.
  func setRepost(
    _ isOn: Bool, of post: StoredPost, by account: Account, madeAt instant: Instant, undoEntry: UndoEntryID? = nil
  ) throws(StoreError) -> ComposedPost? {
    if isOn {
      if let undoEntry, try deletedPosts.bringBackReposts(of: undoEntry) { return nil }
      return try make(post, by: account, at: instant)
    }
    for repost in try own(of: post.id, account.id) { try removal.remove(repost, into: undoEntry) }
    return nil
  }

  /// Sets or clears a visible mark of an account; returns the repost that was made for it, if any.
  func setMark(
    _ operation: OutboxEntry.Operation, _ isOn: Bool, of id: AccountID, on subject: PostID, madeAt milliseconds: Int64
  ) throws(StoreError) -> ComposedPost? {
    guard let mark = operation.mark, let account = try accounts.account(id), var post = try posts.post(subject),
      post.set(mark, isOn, of: id)
    else { return nil }
    try marks.save(post.marks, of: subject)
    guard operation == .repost else { return nil }
    return try setRepost(isOn, of: post, by: account, madeAt: Instant(milliseconds: milliseconds))
  }

  /// Records that the source of a post has set or cleared a mark of an account.
  func recordUpstreamMark(_ operation: OutboxEntry.Operation, of account: AccountID, on subject: PostID)
    throws(StoreError)
  {
    guard var post = try posts.post(subject) else { return }
    post.noteTold(operation == .repost ? .reposted : .favourited, of: account)
    try marks.save(post.marks, of: subject)
  }

  /// Clears the repost mark of an account whose repost was deleted, if it has no other.
  func unmark(_ subject: PostID, by account: AccountID) throws(StoreError) {
    guard try own(of: subject, account).isEmpty, var post = try posts.post(subject) else { return }
    if post.set(.reposted, false, of: account) { try marks.save(post.marks, of: subject) }
  }

  private func make(_ original: StoredPost, by account: Account, at instant: Instant) throws(StoreError)
    -> ComposedPost?
  {
    let author = try authors.local(account.name)
    let id = transaction.nextPostID()
    let nativeID = NativeNames(epoch: transaction.epoch).nativeID(of: id)
    let row = PostRow(
      id: id, name: PostName(source: try sources.local(), nativeID: nativeID, scope: 0), owner: account.id,
      author: author.id, createdAt: instant, visibility: .public, ownAudience: .everyone, isEntry: true,
      original: (original.id, original.audience), reply: ReplyReference(), body: PackedBody(PostBody(text: .empty)),
      mentions: [])
    try rows.insert(row)
    guard let shown = try posts.post(id) else { return nil }
    transaction.report(shown)
    return ComposedPost(post: shown, author: author, isRepeated: false)
  }
}
