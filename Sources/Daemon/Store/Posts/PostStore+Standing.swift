internal import Dates
internal import Posts

/// What an import may say of what others wrote or brought: an account's own words are its own, whether it wrote them
/// here (source `stack`) or claimed their author, and nobody else's are to be changed, taken or made up by a file.
extension PostStore {
  /// What becomes of a post that is imported.
  enum Standing: Equatable {
    /// It is stored, or brought up to date.
    case open
    /// It was written here by another account and says what it said: it is left as it is.
    case kept(PostID, Audience)
    /// It is in the name of another account, or takes a name that is another post's.
    case refused
  }

  /// How a post stands that `owner` imports, its original with it.
  func standing(of post: ImportedPost, for owner: AccountID) throws -> Standing {
    if let original = post.original.first, try standing(of: original, for: owner) == .refused { return .refused }
    guard post.source == PostStore.localSource else { return try standing(ofForeign: post, for: owner) }
    let source = try local()
    let known = try written(source, post.nativeID)
    guard try existing(owner).name == post.author.nativeID else {
      guard let known, known.says(post),
        try find(author: AuthorKey(source: source, nativeID: post.author.nativeID))?.id == known.author
      else { return .refused }
      return .kept(known.id, .everyone)
    }
    if let known { return known.owner == owner ? .open : .refused }
    // The name of a post that is yet to be written is not to be had; that of one which was deleted is its author's.
    guard let number = number(ofNativeID: post.nativeID) else { return .open }
    return number <= transaction!.meta.lastPost ? .open : .refused
  }

  /// For everybody to see, nothing new is said in the name of an author whom another account has claimed. What is here
  /// stays as it is (``mayChange(_:_:)``).
  private func standing(ofForeign post: ImportedPost, for owner: AccountID) throws(StoreError) -> Standing {
    guard Audience(visibility: post.body.visibility, owner: owner) == .everyone,
      let source = try find(source: post.source),
      let author = try find(author: AuthorKey(source: source, nativeID: post.author.nativeID)),
      try belongsToAnother(author.id, than: owner)
    else { return .open }
    return try written(source, post.nativeID)?.author == author.id ? .open : .refused
  }

  /// Whether an account may have a row read differently: its owner may, and whose author wrote it.
  func mayChange(_ stored: StoredRow, _ account: AccountID) throws(StoreError) -> Bool {
    if stored.owner == account { return try !belongsToAnother(stored.author, than: account) }
    return try identities().accounts(of: stored.author).contains(account)
  }

  /// Whether a row of a source elsewhere goes on being by whom it is here: its owner wrote it for that source
  /// (``Composition/source``), and has claimed no author there.
  func keepsAuthor(_ stored: StoredRow, _ account: AccountID) throws(StoreError) -> Bool {
    guard !upstreams.isEmpty, stored.owner == account, let owner = try self.account(account) else { return false }
    return try localAuthor(owner.name).id == stored.author
  }

  /// Whether other accounts have claimed an author, and this one has not.
  func belongsToAnother(_ author: AuthorID, than account: AccountID) throws(StoreError) -> Bool {
    let accounts = try identities().accounts(of: author)
    return !accounts.isEmpty && !accounts.contains(account)
  }

  /// The post of this name that everybody may see.
  private func written(_ source: Int64, _ nativeID: String) throws(StoreError) -> WrittenPost? {
    let statement = try connection.statement(.findPost)
    defer { statement.reset() }
    statement.bind(1, source)
    statement.bind(2, text: nativeID)
    while try statement.step() {
      guard statement.integer(1) == 0 else { continue }
      return WrittenPost(statement)
    }
    return nil
  }

  /// The number in what ``nativeID(of:)`` calls a post of this store; nil for any other name.
  private func number(ofNativeID name: String) -> Int64? {
    let prefix = nativeID(of: PostID(0)).dropLast()
    return name.hasPrefix(prefix) ? Int64(name.dropFirst(prefix.count)) : nil
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
