internal import Dates
internal import Posts

/// What accounts do to posts that are there (behaviour.md, rules 44 and 45).
extension PostStore {
  /// Has an account favourite, repost or save a post, or takes that back; what is so already stays so. A repost is done
  /// to its original.
  func mark(_ marking: Marking) throws -> MarkedPost {
    let account = try existing(marking.account)
    try check(requestID: marking.requestID)
    guard let subject = try post(marking.post, visibleTo: account.id)?.subject, var post = try post(subject) else {
      throw Refusal.noSuchPost(marking.post)
    }
    if try made(by: marking.requestID, account.id) != nil { return MarkedPost(post: subject, hasChanged: false) }
    if marking.mark == .reposted, marking.isOn, post.audience != .everyone, try !isUnconfirmed(subject) {
      throw Refusal.notForEverybody(subject)
    }
    let wish = try wish(marking, subject, post)
    try remember(marking.requestID, account.id, .post(subject))
    var marked = MarkedPost(post: subject, hasChanged: post.set(marking.mark, marking.isOn, of: account.id))
    if marked.hasChanged {
      try save(post.marks, of: subject)
      let step = try record(.mark(subject, marking.mark, isOn: marking.isOn), of: account.id)
      if marking.mark == .reposted {
        // What a source elsewhere has taken back it calls something else when it has it again.
        marked.repost = try showRepost(
          marking.isOn, of: post, by: account, madeAt: marking.at, step: wish == nil ? step : nil)
      }
    }
    if let wish { try save(wish.after, insteadOf: wish.before, of: subject) }
    return marked
  }

  /// What is wanted of the post's source now and was before, where that is told.
  private func wish(
    _ marking: Marking, _ subject: PostID, _ post: StoredPost
  ) throws -> (before: PostOutbox, after: PostOutbox)? {
    guard marking.mark != .saved, try upstream(of: subject) != nil else { return nil }
    let before = try outbox(of: subject)
    var after = before
    let errand: OutboxEntry.Errand = marking.mark == .reposted ? .repost : .favourite
    var instant = marking.at
    if errand == .repost, !marking.isOn, let repost = try ownReposts(of: subject, marking.account).first {
      instant = repost.createdAt
    }
    after.want(
      errand, marking.isOn, was: post.mark(of: marking.account).contains(marking.mark), by: marking.account,
      madeAt: instant.milliseconds)
    if after.entries.count > before.entries.count { try checkOutbox(of: marking.account) }
    return (before, after)
  }

  /// Has a mark of an account be shown, or not; returns the repost that was made for it.
  func show(
    _ errand: OutboxEntry.Errand, _ isOn: Bool, of id: AccountID, on subject: PostID, madeAt milliseconds: Int64
  ) throws(StoreError) -> ComposedPost? {
    let mark: Mark = errand == .repost ? .reposted : .favourited
    guard let account = try account(id), var post = try post(subject), post.set(mark, isOn, of: id) else { return nil }
    try save(post.marks, of: subject)
    guard errand == .repost else { return nil }
    return try showRepost(isOn, of: post, by: account, madeAt: Instant(milliseconds: milliseconds))
  }

  /// Makes an account's repost of a post, or takes all away that it made: into the trash of a step, from where they
  /// come back.
  private func showRepost(
    _ isOn: Bool, of post: StoredPost, by account: Account, madeAt instant: Instant, step: StepID? = nil
  ) throws(StoreError) -> ComposedPost? {
    if isOn {
      if let step, try bringBackReposts(of: step) { return nil }
      return try repost(post, by: account, at: instant)
    }
    for repost in try ownReposts(of: post.id, account.id) {
      if let step { try throwAway(repost, into: step) } else { try remove(repost) }
    }
    return nil
  }

  /// Notes that the source of a post has a mark of an account now, or has it no more.
  func noteTold(_ errand: OutboxEntry.Errand, of account: AccountID, on subject: PostID) throws(StoreError) {
    guard var post = try post(subject) else { return }
    post.noteTold(errand == .repost ? .reposted : .favourited, of: account)
    try save(post.marks, of: subject)
  }

  /// Notes that an account took its repost of a post away by itself, if it has no other.
  func unmark(_ subject: PostID, repostedBy account: AccountID) throws(StoreError) {
    guard try ownReposts(of: subject, account).isEmpty, var post = try post(subject) else { return }
    if post.set(.reposted, false, of: account) { try save(post.marks, of: subject) }
  }

  /// The reposts of a post that an account made, or imported as its own.
  func ownReposts(of subject: PostID, _ account: AccountID) throws(StoreError) -> [ListedPost] {
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
    transaction!.touch(id)
    for repost in try reposts(of: id) { transaction!.touch(repost.id) }
  }

  private func repost(_ original: StoredPost, by account: Account, at instant: Instant) throws(StoreError)
    -> ComposedPost
  {
    let author = try localAuthor(account.name)
    let id = transaction!.nextPostID()
    let row = PostRow(
      id: id, source: try local(), nativeID: nativeID(of: id), scope: 0, owner: account.id, author: author.id,
      createdAt: instant,
      visibility: .public, ownAudience: .everyone, isEntry: true, original: (original.id, original.audience),
      replyTo: nil, replyKey: nil,
      body: PackedBody(PostBody(text: .empty)), mentions: [])
    try insert(row)
    let shown = try post(id)!
    note(shown)
    return ComposedPost(post: shown, author: author, isRepeated: false)
  }
}
