internal import Dates
internal import Posts

/// Reposts that accounts make here, and the marks that tell of them.
struct Reposts {
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
  private let trash: Trash

  init(
    _ connection: Connection, _ transaction: Transaction, identities: IdentityLookup, sources: Sources,
    authors: Authors, listed: ListedPosts, rows: PostRows, marks: MarkRows, removal: Removal, trash: Trash
  ) {
    self.transaction = transaction
    posts = PostReader(connection)
    accounts = AccountReader(connection)
    (self.identities, self.sources, self.authors, self.listed) = (identities, sources, authors, listed)
    (self.rows, self.marks, self.removal, self.trash) = (rows, marks, removal, trash)
  }

  /// The reposts of a post that an account made, or imported as its own.
  func own(of subject: PostID, _ account: AccountID) throws(StoreError) -> [ListedPost] {
    let known = try identities.all()
    var found: [ListedPost] = []
    for repost in try posts.reposts(of: subject) where repost.owner == account {
      if let row = try listed.listed(repost.id), known.accounts(of: row.author).contains(account) { found.append(row) }
    }
    return found
  }

  /// Makes an account's repost of a post, or takes all away that it made: into the trash of a step, from where they
  /// come back.
  func show(
    _ isOn: Bool, of post: StoredPost, by account: Account, madeAt instant: Instant, step: StepID? = nil
  ) throws(StoreError) -> ComposedPost? {
    if isOn {
      if let step, try trash.bringBackReposts(of: step) { return nil }
      return try make(post, by: account, at: instant)
    }
    for repost in try own(of: post.id, account.id) { try removal.remove(repost, into: step) }
    return nil
  }

  /// Has a mark of an account be shown, or not; returns the repost that was made for it.
  func show(
    _ errand: OutboxEntry.Errand, _ isOn: Bool, of id: AccountID, on subject: PostID, madeAt milliseconds: Int64
  ) throws(StoreError) -> ComposedPost? {
    let mark: Mark = errand == .repost ? .reposted : .favourited
    guard let account = try accounts.account(id), var post = try posts.post(subject), post.set(mark, isOn, of: id)
    else { return nil }
    try marks.save(post.marks, of: subject)
    guard errand == .repost else { return nil }
    return try show(isOn, of: post, by: account, madeAt: Instant(milliseconds: milliseconds))
  }

  /// Notes that the source of a post has a mark of an account now, or has it no more.
  func noteTold(_ errand: OutboxEntry.Errand, of account: AccountID, on subject: PostID) throws(StoreError) {
    guard var post = try posts.post(subject) else { return }
    post.noteTold(errand == .repost ? .reposted : .favourited, of: account)
    try marks.save(post.marks, of: subject)
  }

  /// Notes that an account took its repost of a post away by itself, if it has no other.
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
