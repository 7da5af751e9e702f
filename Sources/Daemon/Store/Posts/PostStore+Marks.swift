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
    var mark = post.marks.mark(of: account.id, owner: post.owner, imported: post.body.flags)
    if marking.isOn { mark.insert(marking.mark) } else { mark.remove(marking.mark) }
    if marking.mark == .reposted, marking.isOn, post.audience != .everyone { throw Refusal.notForEverybody(subject) }
    guard post.marks.set(mark, of: account.id, owner: post.owner, imported: post.body.flags) else {
      return MarkedPost(post: subject, hasChanged: false)
    }
    try save(post.marks, of: subject)
    guard marking.mark == .reposted else { return MarkedPost(post: subject, hasChanged: true) }
    if marking.isOn {
      return MarkedPost(post: subject, hasChanged: true, repost: try repost(post, by: account, at: marking.at))
    }
    let own = try identities()
    for repost in try reposts(of: subject) where repost.owner == account.id {
      if let row = try listed(repost.id), own.accounts(of: row.author).contains(account.id) { try remove(row) }
    }
    return MarkedPost(post: subject, hasChanged: true)
  }

  /// Notes that an account took its repost of a post away by itself, if it has no other.
  func unmark(_ subject: PostID, repostedBy account: AccountID) throws(StoreError) {
    guard var post = try post(subject) else { return }
    let own = try identities()
    for repost in try reposts(of: subject) where repost.owner == account {
      if let author = try author(of: repost.id), own.accounts(of: author).contains(account) { return }
    }
    var mark = post.marks.mark(of: account, owner: post.owner, imported: post.body.flags)
    mark.remove(.reposted)
    if post.marks.set(mark, of: account, owner: post.owner, imported: post.body.flags) { try save(post.marks, of: subject) }
  }

  /// Writes the marks of a post; it and its reposts read differently now.
  private func save(_ marks: PostMarks, of id: PostID) throws(StoreError) {
    let statement = try connection.statement(.updateMarks)
    defer { statement.reset() }
    statement.bind(1, id.rawValue)
    statement.bind(2, blob: marks.bytes)
    _ = try statement.step()
    noteChange()
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
