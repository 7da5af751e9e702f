internal import Posts

/// What a server says of a post for one of its logins: the lists that it is in there, and what the account did to it.
final class LoginPosts {
  private let posts: PostReader
  private let outbox: OutboxReader
  private let marks: MarkRows
  private let filing: Filing
  private let rows: PostRows

  init(_ connection: Connection, marks: MarkRows, filing: Filing, rows: PostRows) {
    posts = PostReader(connection)
    outbox = OutboxReader(connection)
    (self.marks, self.filing, self.rows) = (marks, filing, rows)
  }

  /// Files a post into lists of an account. Returns true if it is new in one of them.
  func file(
    _ key: OrderKey, audience: Audience, in lists: UpstreamLists, of account: AccountID
  ) throws(StoreError) -> Bool {
    var isNew = false
    for kind in lists.kinds where try filing.fileImported(key, audience: audience, by: account, in: kind) {
      isNew = true
    }
    return isNew
  }

  /// Marks a post that another account brought first, unless the account has marked it here. Returns true if that is a
  /// change.
  func mark(_ id: PostID, _ flags: PostFlags, of account: AccountID) throws(StoreError) -> Bool {
    let known: Mark = [.favourited, .reposted, .saved]
    let wanted = Mark(flags).intersection(known)
    guard !wanted.isEmpty, var post = try posts.post(id), post.mark(of: account).isDisjoint(with: known),
      post.set(wanted, true, of: account, isCounted: true)
    else { return false }
    try marks.save(post.marks, of: post.subject)
    return true
  }

  /// Marks a post as unread. Nobody has done that, so it cannot be undone.
  func markUnread(_ id: PostID, for account: AccountID) throws(StoreError) {
    guard var post = try posts.post(id), post.set(ReadMark.unread, of: account) else { return }
    try marks.save(post.marks, of: post.subject)
  }

  /// Marks a post as saved that is among the bookmarks of an account's login, unless the account wants something else of
  /// its login just now. Returns true if that is a change.
  func save(_ id: PostID, of account: AccountID) throws(StoreError) -> Bool {
    let waiting = try outbox.outbox(of: id, epoch: 0).entries
    guard !waiting.contains(where: { $0.operation == .save && $0.account == account }),
      var post = try posts.post(id), !post.mark(of: account).contains(.saved),
      post.set(.saved, true, of: account)
    else { return false }
    try marks.save(post.marks, of: post.subject)
    return true
  }

  /// Takes a post out of lists of an account, unless it is in them for another reason than the server's word.
  func remove(_ post: ListedPost, from lists: UpstreamLists, of account: AccountID) throws(StoreError) {
    for kind in lists.kinds { try filing.unfileImported(post, by: account, in: kind) }
    guard lists.contains(.saved), var stored = try posts.post(post.id) else { return }
    if stored.owner == account, stored.subject == post.id, var body = stored.body.unpacked(),
      body.flags.remove(.saved) != nil
    {
      stored.body = PackedBody(body)
      try rows.rewrite(post, as: stored.body)
    }
    if stored.set(.saved, false, of: account) { try marks.save(stored.marks, of: stored.subject) }
  }
}

extension UpstreamLists {
  /// The lists of entries among them.
  fileprivate var kinds: [ListKind] {
    var kinds: [ListKind] = []
    if contains(.home) { kinds.append(.home) }
    if contains(.mentions) { kinds.append(.mentions) }
    return kinds
  }
}
