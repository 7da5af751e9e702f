internal import Dates
internal import Posts

/// What becomes of a post that is imported.
enum Standing: Equatable {
  /// It is stored, or brought up to date.
  case open
  /// It was written here by another account and says what it said: it is left as it is.
  case unchanged(PostID, Audience)
  /// It is in the name of another account, or takes a name that is another post's.
  case refused
}

/// What an import may say of what others wrote or brought: an account's own words are its own, whether it wrote them
/// here (source `stack`) or claimed their author, and nobody else's are to be changed, taken or made up by a file.
struct ImportStanding {
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

  /// How a post stands that `owner` imports, its original with it.
  func assess(_ post: ImportedPost, for owner: AccountID) throws -> Standing {
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
    // The name of a post that is yet to be written is not to be had; that of one which was deleted is its author's.
    guard let number = NativeNames(epoch: transaction.epoch).number(of: post.nativeID) else { return .open }
    return number <= transaction.lastPost ? .open : .refused
  }

  /// For everybody to see, nothing new is said in the name of an author whom another account has claimed. What is here
  /// stays as it is (``mayChange(_:_:)``).
  private func assess(foreign post: ImportedPost, for owner: AccountID) throws(StoreError) -> Standing {
    guard Audience(visibility: post.body.visibility, owner: owner) == .everyone,
      let source = try sources.find(post.source),
      let author = try authors.find(AuthorKey(source: source, nativeID: post.author.nativeID)),
      try identities.belongsToAnother(author.id, than: owner)
    else { return .open }
    return try written(source, post.nativeID)?.author == author.id ? .open : .refused
  }

  /// Whether an account may have a row read differently: its owner may, and whose author wrote it.
  func mayChange(_ stored: StoredRow, _ account: AccountID) throws(StoreError) -> Bool {
    if stored.owner == account { return try !identities.belongsToAnother(stored.author, than: account) }
    return try identities.accounts(of: stored.author).contains(account)
  }

  /// Whether a row of a source elsewhere goes on being by whom it is here: its owner wrote it for that source
  /// (``Composition/source``), and has claimed no author there.
  func keepsAuthor(_ stored: StoredRow, _ account: AccountID) throws(StoreError) -> Bool {
    guard !outbox.isSilent, stored.owner == account, let owner = try accounts.account(account) else { return false }
    return try authors.local(owner.name).id == stored.author
  }

  /// The post of this name that everybody may see.
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

/// A post that was written here, as far as an import is compared with it.
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

  /// Whether an imported post is this one, word for word.
  func says(_ post: ImportedPost) -> Bool {
    audience == .everyone && createdAt == post.createdAt.milliseconds && body.unpacked()?.text == post.body.text
  }
}
