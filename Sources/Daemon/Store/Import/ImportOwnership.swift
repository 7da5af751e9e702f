internal import Dates
internal import Posts

/// The verdict on an imported post.
enum ImportVerdict: Equatable {
  /// The post is stored or updated.
  case open
  /// The post was written here by another account and is the same: it is left as it is.
  case unchanged(PostID, Audience)
  /// The post is not stored.
  case refused(RefusedPost.Reason)
}

/// Decides what an import may change. Posts that an account wrote (source `stack`), and posts by authors that it has
/// claimed, are its own: no other account may change, take over or forge them by importing a file.
final class ImportOwnership {
  private let connection: Connection
  private let transaction: Transaction
  private let accounts: AccountReader
  private let groups: AudienceGroupReader
  private let sources: Sources
  private let authors: Authors
  private let identities: IdentityLookup
  private let outbox: Outbox
  private let programs: SourcePrograms
  private let servers: Servers

  init(
    _ connection: Connection, _ transaction: Transaction, sources: Sources, authors: Authors,
    identities: IdentityLookup, outbox: Outbox, programs: SourcePrograms
  ) {
    (self.connection, self.transaction) = (connection, transaction)
    accounts = AccountReader(connection)
    groups = AudienceGroupReader(connection)
    (self.sources, self.authors, self.identities, self.outbox) = (sources, authors, identities, outbox)
    self.programs = programs
    servers = Servers(connection)
  }

  /// Returns a post of a file under the source where it is stored, and its original: posts of the feeds here stay under
  /// theirs, and what else claims to be a feed's goes to ``FeedArchive``.
  func placed(_ post: ImportedPost, for owner: AccountID) throws(StoreError) -> ImportedPost {
    var post = post
    if let original = post.original.first { post.original = [try placed(original, for: owner)] }
    guard post.source == StoredFeed.source, try storedByFeed(post, for: owner) == nil else { return post }
    return FeedArchive.placed(post)
  }

  /// Returns the verdict on a post that `owner` imports, and on its original.
  func assess(_ post: ImportedPost, for owner: AccountID, _ word: ImportWord) throws(StoreError) -> ImportVerdict {
    for original in post.original {
      switch try assess(original, for: owner, word) {
      case .open, .unchanged(_, .everyone): break
      case .refused(let reason): return .refused(reason)
      case .unchanged: return .refused(.anotherAccount)
      }
    }
    if case .file = word, post.source == StoredFeed.source, let known = try storedByFeed(post, for: owner) {
      return .unchanged(known.id, known.audience)
    }
    return post.source == LocalSource.name
      ? try assess(local: post, for: owner) : try assess(foreign: post, for: owner, word)
  }

  /// Returns the post of a feed here that a file brings again: the one of that name, feed and instant, which a feed
  /// never changes; nil if there is none that `owner` may see.
  private func storedByFeed(_ post: ImportedPost, for owner: AccountID) throws(StoreError) -> NamedPost? {
    guard let source = try sources.find(StoredFeed.source),
      let author = try authors.find(AuthorKey(source: source, nativeID: post.author.nativeID))
    else { return nil }
    return try stored(source, post.nativeID, for: owner).first {
      $0.isVisible && $0.author == author.id && $0.createdAt == post.createdAt.milliseconds
    }
  }

  /// Posts of source `stack` may come from this daemon or from another one. A post by an account of this daemon belongs
  /// to that account; one by an author without an account, as in the export of another daemon's team, to its importer.
  private func assess(local post: ImportedPost, for owner: AccountID) throws(StoreError) -> ImportVerdict {
    let source = try sources.local()
    let known = try stored(source, post.nativeID, for: owner)
    let author = try authors.find(AuthorKey(source: source, nativeID: post.author.nativeID))?.id
    let account = try accounts.account(named: post.author.nativeID)?.id
    if let account, account != owner {
      guard let same = known.first(where: { $0.isVisible && $0.author == author && $0.says(post) }) else {
        return .refused(.anotherAccount)
      }
      return .unchanged(same.id, same.audience)
    }
    if let own = known.first(where: { $0.owner == owner }) { return own.author == author ? .open : .refused(.takenID) }
    if let other = known.first(where: \.isVisible) {
      let audiences = [other.audience, Audience(visibility: post.body.visibility, owner: owner)]
      return audiences == [.everyone, .everyone] && other.author == author ? .open : .refused(.takenID)
    }
    return try isReserved(post.nativeID, for: owner) ? .refused(.takenID) : .open
  }

  /// Returns true if an ID of source `stack` is this daemon's to give, or was given to a post that an account may not
  /// see or that is gone, unless the account can still restore that post: it is its own then.
  private func isReserved(_ nativeID: String, for owner: AccountID) throws(StoreError) -> Bool {
    guard let number = NativeNames(epoch: transaction.epoch).number(of: nativeID) else { return false }
    return try !connection.hasRow(DeletedPostQuery.isOwn, owner, PostID(number))
  }

  /// Refuses a file's new public posts by an author that another account has claimed; what a server says in that name
  /// is private (``isPrivate(_:by:_:)``). Stored posts are checked by ``mayChange(_:of:_:)``.
  private func assess(
    foreign post: ImportedPost, for owner: AccountID, _ word: ImportWord
  ) throws(StoreError) -> ImportVerdict {
    guard Audience(visibility: post.body.visibility, owner: owner) == .everyone,
      let source = try sources.find(post.source),
      let author = try authors.find(AuthorKey(source: source, nativeID: post.author.nativeID)),
      try identities.belongsToAnother(author.id, than: owner)
    else { return .open }
    let shared = try stored(source, post.nativeID, for: owner).first { $0.isShared }
    if shared == nil, word.server != 0 { return .open }
    return shared?.author == author.id ? .open : .refused(.anotherAccount)
  }

  /// Returns true if a public post is for its importer alone: it bears the name of another, and the import does not
  /// share such posts; or a server says it in the name of an author whom another account has claimed. `author` is as
  /// the file names it.
  func isPrivate(_ row: PostRow, by author: ImportedAuthor, _ batch: ImportPass) throws(StoreError) -> Bool {
    if batch.word.server != 0, row.ownAudience == .everyone {
      return try identities.belongsToAnother(row.author, than: batch.owner)
    }
    guard case .own(let archive) = batch.sharing, author.nativeID != archive, row.ownAudience == .everyone else {
      return false
    }
    // A repost of what only a group may see is for that group: the importer need not be all of it.
    guard row.audience == .everyone || row.audience == .only(batch.owner) else { return false }
    return try !identities.accounts(of: row.author).contains(batch.owner)
  }

  /// Returns true if an import may change a row. A feed and the server whose word counts may, except for what other
  /// accounts have claimed; a file changes nothing of a source that has a program. Else the row's owner may, and the
  /// account that has claimed its author.
  func mayChange(_ stored: StoredRow, of name: PostName, _ batch: ImportPass) throws(StoreError) -> Bool {
    let account = batch.owner
    switch batch.word {
    case .feed: return try !identities.belongsToAnother(stored.author, than: account)
    case .server(let server):
      return try isWord(of: server, stored.named, called: name.nativeID, at: name.source, for: account)
    case .file: if try programs.speak(for: name.source) { return false }
    }
    if stored.owner == account { return try !identities.belongsToAnother(stored.author, than: account) }
    return try identities.accounts(of: stored.author).contains(account)
  }

  /// Returns true if the word of a server counts for a post, by a login of `account`: that of the server that publishes
  /// it or, if no login is there, of the first one that brought it. Posts of an author whom an account has claimed are
  /// that account's, by any login of it; private copies are those of their accounts.
  func isWord(
    of server: OriginServer, _ row: NamedRow, called nativeID: String, at source: Int64, for account: AccountID
  ) throws(StoreError) -> Bool {
    if try identities.belongsToAnother(row.author, than: account) { return row.scope == account.rawValue }
    if server.publishes(nativeID) { return true }
    if try identities.accounts(of: row.author).contains(account) { return true }
    if try servers.hasPublisher(of: nativeID, at: source) { return false }
    return [0, server.number].contains(row.server)
  }

  /// Returns true if a row keeps its local author: its owner wrote it for an upstream source (``Composition/source``)
  /// and has claimed no author there.
  func keepsAuthor(_ stored: StoredRow, _ account: AccountID) throws(StoreError) -> Bool {
    guard outbox.hasUpstreams, stored.owner == account, let owner = try accounts.account(account) else { return false }
    return try authors.local(owner.name).id == stored.author
  }

  /// Returns the stored posts with this name: the shared one, and private copies of any account.
  private func stored(
    _ source: Int64, _ nativeID: String, for account: AccountID
  ) throws(StoreError) -> [NamedPost] {
    var posts = try connection.rows(PostRowQuery.find, source, nativeID, read: NamedPost.init(row:))
    for index in posts.indices {
      posts[index].isVisible = try groups.isMember(account, of: posts[index].audience)
    }
    return posts
  }
}

/// A stored post, as far as an import is compared with it.
private struct NamedPost {
  var id: PostID
  var isShared: Bool
  var owner: AccountID
  var author: AuthorID
  var createdAt: Int64
  var visibility: Visibility
  var audience: Audience
  var body: PackedBody
  /// True if the importing account may see it.
  var isVisible = false

  init(row: Statement) {
    id = PostID(row.integer(0))
    isShared = row.integer(1) == 0
    owner = AccountID(row.integer(2))
    author = AuthorID(row.integer(3))
    createdAt = row.integer(4)
    audience = Audience(number: row.integer(5))
    body = PackedBody(trusted: row.bytes(10))
    visibility = Visibility(column: row.integer(11))
  }

  /// Returns true if an imported post has the same text, time and visibility.
  func says(_ post: ImportedPost) -> Bool {
    visibility == post.body.visibility && createdAt == post.createdAt.milliseconds
      && body.unpacked()?.text == post.body.text
  }
}
