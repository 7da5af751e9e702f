internal import Dates
internal import Posts

/// What accounts do to posts that are there (behaviour.md, rules 44 and 45).
extension PostStore {
  /// Has an account favourite, repost or save a post, or takes that back; what is so already stays so. A repost is done to its original.
  func mark(_ marking: Marking) throws -> MarkedPost {
    let account = try existing(marking.account)
    guard let subject = try post(marking.post, visibleTo: account.id)?.subject, var post = try post(subject) else {
      throw Refusal.noSuchPost(marking.post)
    }
    if marking.mark == .reposted, marking.isOn, post.audience != .everyone { throw Refusal.notForEverybody(subject) }
    guard post.set(marking.mark, marking.isOn, of: account.id) else { return MarkedPost(post: subject, hasChanged: false) }
    try save(post.marks, of: subject)
    guard marking.mark == .reposted else { return MarkedPost(post: subject, hasChanged: true) }
    if marking.isOn {
      return MarkedPost(post: subject, hasChanged: true, repost: try repost(post, by: account, at: marking.at))
    }
    for repost in try ownReposts(of: subject, account.id) { try remove(repost) }
    return MarkedPost(post: subject, hasChanged: true)
  }

  /// Notes that an account took its repost of a post away by itself, if it has no other.
  func unmark(_ subject: PostID, repostedBy account: AccountID) throws(StoreError) {
    guard try ownReposts(of: subject, account).isEmpty, var post = try post(subject) else { return }
    if post.set(.reposted, false, of: account) { try save(post.marks, of: subject) }
  }

  /// The reposts of a post that an account made, or imported as its own.
  private func ownReposts(of subject: PostID, _ account: AccountID) throws(StoreError) -> [ListedPost] {
    let own = try identities()
    var found: [ListedPost] = []
    for repost in try reposts(of: subject) where repost.owner == account {
      if let row = try listed(repost.id), own.accounts(of: row.author).contains(account) { found.append(row) }
    }
    return found
  }

  /// Writes the marks of a post; it and its reposts read differently now.
  func save(_ marks: PostMarks, of id: PostID) throws(StoreError) {
    let statement = try connection.statement(.updateMarks)
    defer { statement.reset() }
    statement.bind(1, id.rawValue)
    statement.bind(2, blob: marks.bytes)
    _ = try statement.step()
    noteChange()
    try touch(id)
  }

  /// Notes that a post reads differently now, and its reposts with it.
  func touch(_ id: PostID) throws(StoreError) {
    transaction!.touched.insert(id)
    for repost in try reposts(of: id) { transaction!.touched.insert(repost.id) }
  }

  private func repost(_ original: StoredPost, by account: Account, at instant: Instant) throws(StoreError) -> ComposedPost {
    let author = try localAuthor(account.name)
    let id = transaction!.nextPostID()
    let row = PostRow(
      id: id, source: try local(), nativeID: nativeID(of: id), scope: 0, owner: account.id, author: author.id, createdAt: instant,
      visibility: .public, ownAudience: .everyone, isEntry: true, original: (original.id, original.audience), replyTo: nil, replyKey: nil,
      body: PackedBody(PostBody(text: .empty)), mentions: [])
    try insert(row)
    let shown = try post(id)!
    note(shown)
    return ComposedPost(post: shown, author: author, isRepeated: false)
  }
}
