internal import Dates
internal import Posts

/// The verdict on an imported post.
enum ImportVerdict: Equatable {
  /// The post is stored or updated.
  case open
  /// The post was written here by another account and has the same text: it is left as it is.
  case unchanged(PostID, Audience)
  /// The post belongs to another account, or uses the name of another post.
  case refused
}

/// Decides what an import may change. Posts that an account wrote (source `stack`), and posts by authors that it has
/// claimed, are its own: no other account may change, take over or forge them by importing a file.
final class ImportOwnership {
  private let connection: Connection
  private let transaction: Transaction
  private let accounts: AccountReader
  private let sources: Sources
  private let authors: Authors
  private let identities: IdentityLookup
  private let outbox: Outbox

  init(
    _ connection: Connection, _ transaction: Transaction, sources: Sources, authors: Authors,
    identities: IdentityLookup, outbox: Outbox
  ) {
    (self.connection, self.transaction) = (connection, transaction)
    accounts = AccountReader(connection)
    (self.sources, self.authors, self.identities, self.outbox) = (sources, authors, identities, outbox)
  }

  /// Returns the verdict on a post that `owner` imports, and on its original.
  func assess(_ post: ImportedPost, for owner: AccountID) throws -> ImportVerdict {
    if let original = post.original.first, try assess(original, for: owner) == .refused { return .refused }
    guard post.source == LocalSource.name else { return try assess(foreign: post, for: owner) }
    let source = try sources.local()
    let known = try written(source, post.nativeID)
    guard try accounts.existing(owner).name == post.author.nativeID else {
      guard let known, known.says(post),
        try authors.find(AuthorKey(source: source, nativeID: post.author.nativeID))?.id == known.author
      else { return .refused }
      return .unchanged(known.id, .everyone)
    }
    if let known { return known.owner == owner ? .open : .refused }
    // A name that the store has not given out yet is reserved; the name of a deleted post still belongs to its author.
    guard let number = NativeNames(epoch: transaction.epoch).number(of: post.nativeID) else { return .open }
    return number <= transaction.lastPost ? .open : .refused
  }

  /// Refuses new public posts by an author that another account has claimed. Stored posts are checked by
  /// ``mayChange(_:_:)``.
  private func assess(foreign post: ImportedPost, for owner: AccountID) throws(StoreError) -> ImportVerdict {
    guard Audience(visibility: post.body.visibility, owner: owner) == .everyone,
      let source = try sources.find(post.source),
      let author = try authors.find(AuthorKey(source: source, nativeID: post.author.nativeID)),
      try identities.belongsToAnother(author.id, than: owner)
    else { return .open }
    return try written(source, post.nativeID)?.author == author.id ? .open : .refused
  }

  /// Returns true if a public post is for its importer alone: it bears the name of another, and the import does not
  /// share such posts. `author` is as the file names it.
  func isPrivate(_ row: PostRow, by author: ImportedAuthor, _ batch: ImportPass) throws(StoreError) -> Bool {
    guard case .own(let archive) = batch.sharing, author.nativeID != archive, row.ownAudience == .everyone else {
      return false
    }
    // A repost of what only a group may see is for that group: the importer need not be all of it.
    guard row.audience == .everyone || row.audience == .only(batch.owner) else { return false }
    return try !identities.accounts(of: row.author).contains(batch.owner)
  }

  /// Returns true if an account may change a row: its owner may, and the account that has claimed its author.
  func mayChange(_ stored: StoredRow, _ account: AccountID) throws(StoreError) -> Bool {
    if stored.owner == account { return try !identities.belongsToAnother(stored.author, than: account) }
    return try identities.accounts(of: stored.author).contains(account)
  }

  /// Returns true if a row keeps its local author: its owner wrote it for an upstream source (``Composition/source``)
  /// and has claimed no author there.
  func keepsAuthor(_ stored: StoredRow, _ account: AccountID) throws(StoreError) -> Bool {
    guard outbox.hasUpstreams, stored.owner == account, let owner = try accounts.account(account) else { return false }
    return try authors.local(owner.name).id == stored.author
  }

  /// Returns the shared post with this name, which everyone may see.
  private func written(_ source: Int64, _ nativeID: String) throws(StoreError) -> WrittenPost? {
    let statement = try connection.bound(PostRowQuery.find, source, nativeID)
    defer { statement.reset() }
    while try statement.step() {
      guard statement.integer(1) == 0 else { continue }
      return WrittenPost(statement)
    }
    return nil
  }
}

/// A stored post, as far as an import is compared with it.
private struct WrittenPost {
  var id: PostID
  var owner: AccountID
  var author: AuthorID
  var createdAt: Int64
  var audience: Audience
  var body: PackedBody

  init(_ statement: Statement) {
    id = PostID(statement.integer(0))
    owner = AccountID(statement.integer(2))
    author = AuthorID(statement.integer(3))
    createdAt = statement.integer(4)
    audience = Audience(number: statement.integer(5))
    body = PackedBody(trusted: statement.bytes(10))
  }

  /// Returns true if an imported post has the same text, time and audience.
  func says(_ post: ImportedPost) -> Bool {
    audience == .everyone && createdAt == post.createdAt.milliseconds && body.unpacked()?.text == post.body.text
  }
}
