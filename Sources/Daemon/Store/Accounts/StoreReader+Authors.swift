public import Posts

extension StoreReader {
  /// The authors with these numbers, in the order asked for; a number that nobody has is left out.
  public func authors(_ ids: some Sequence<AuthorID>) throws(StoreError) -> [Author] {
    let statement = try connection.statement(.author)
    var authors: [Author] = []
    for id in ids {
      defer { statement.reset() }
      statement.bind(1, id.rawValue)
      if try statement.step() { authors.append(Author(row: statement)) }
    }
    return authors
  }

  /// Everybody who wrote or reposted one of `posts`.
  public func authors(of posts: some Sequence<StoredPost>) throws(StoreError) -> [Author] {
    var ids: Set<AuthorID> = []
    for post in posts {
      ids.insert(post.author)
      if let reposter = post.repostedBy { ids.insert(reposter) }
    }
    return try authors(ids)
  }

  /// The author whom a user means by `reference`: the store's number; `source:id` with the source's own id; or a
  /// handle, with or without "@", in whatever case, for which accounts of this daemon come first. Nil where there is
  /// none of whom `account` can see anything.
  public func resolve(author reference: String, for account: AccountID) throws(StoreError) -> AuthorID? {
    if let number = Int64(reference), try isKnown(AuthorID(number), to: account) { return AuthorID(number) }
    if let colon = reference.firstIndex(of: ":") {
      let statement = try connection.statement(.authorByName)
      defer { statement.reset() }
      statement.bind(1, text: String(reference[..<colon]))
      statement.bind(2, text: String(reference[reference.index(after: colon)...]))
      guard try statement.step() else { return nil }
      let found = AuthorID(statement.integer(0))
      return try isKnown(found, to: account) ? found : nil
    }
    return try find(handle: reference.hasPrefix("@") ? String(reference.dropFirst()) : reference, for: account)
  }

  private func find(handle: String, for account: AccountID) throws(StoreError) -> AuthorID? {
    if handle.isEmpty { return nil }
    let statement = try connection.statement(.authorByHandle)
    defer { statement.reset() }
    statement.bind(1, text: handle)
    statement.bind(2, text: PostStore.localSource)
    var first: AuthorID?
    while try statement.step() {
      let id = AuthorID(statement.integer(0))
      guard try isKnown(id, to: account) else { continue }
      if statement.integer(1) != 0 { return id }
      if first.map({ id.rawValue < $0.rawValue }) ?? true { first = id }
    }
    return first
  }

  /// Whether `account` may know of an author: it may see something of theirs, or they are an account of this daemon.
  func isKnown(_ author: AuthorID, to account: AccountID) throws(StoreError) -> Bool {
    let statement = try connection.statement(.isKnownAuthor)
    defer { statement.reset() }
    statement.bind(1, author.rawValue)
    statement.bind(2, account.rawValue)
    statement.bind(3, text: PostStore.localSource)
    return try statement.step() && statement.integer(0) != 0
  }

  /// The authors that `account` has claimed to be, its own first author included; in the order of their numbers.
  public func identities(of account: AccountID) throws(StoreError) -> [AuthorID] {
    let statement = try connection.statement(.identities)
    defer { statement.reset() }
    statement.bind(1, account.rawValue)
    var ids: [AuthorID] = []
    while try statement.step() { ids.append(AuthorID(statement.integer(0))) }
    return ids
  }
}

extension Author {
  /// Reads id, handle, display name and avatar URL from the first four columns.
  init(row: Statement) {
    self.init(
      id: AuthorID(row.integer(0)), handle: SafeText(trusted: row.bytes(1)),
      displayName: SafeText(trusted: row.bytes(2)),
      avatarURL: SafeText(trusted: row.bytes(3)))
  }
}
