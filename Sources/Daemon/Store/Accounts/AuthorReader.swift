internal import Posts

/// Reads authors.
struct AuthorReader {
  private let connection: Connection

  init(_ connection: Connection) { self.connection = connection }

  /// Returns the authors with these IDs, in the given order; unknown IDs are left out.
  func authors(_ ids: some Sequence<AuthorID>) throws(StoreError) -> [Author] {
    let numbers = "[\(ids.map { String($0.rawValue) }.joined(separator: ","))]"
    return try markingNamesakes(connection.rows(AuthorQuery.byNumbers, numbers, read: Author.init(row:)))
  }

  /// Returns the author with this ID; nil if there is none.
  func author(_ id: AuthorID) throws(StoreError) -> Author? { try authors([id]).first }

  /// Returns the authors with this handle, ignoring the case of ASCII letters.
  func authors(called handle: String) throws(StoreError) -> [Author] {
    try authors(connection.rows(AuthorQuery.called, handle) { AuthorID($0.integer(0)) })
  }

  /// Returns the authors of a source whom a server of it calls so: by the name alone if they are its own, else by
  /// `name@host`; ignoring the case of ASCII letters. An author whose own server is known too has a handle without the
  /// host.
  func authors(called name: String, by server: String, at source: Int64) throws(StoreError) -> [Author] {
    let parts = name.split(separator: "@", maxSplits: 1).map(String.init)
    guard let short = parts.first else { return [] }
    let host = parts.count > 1 ? parts[1] : server
    func known(_ handle: String) throws(StoreError) -> [(id: AuthorID, host: String)] {
      try connection.rows(AuthorQuery.calledAt, handle, source) { (AuthorID($0.integer(0)), $0.text(1)) }
        .map { ($0.0, WebAddress($0.1).host) }
    }
    var found = try known(short).filter { $0.host == host }
    if found.isEmpty, parts.count > 1 { found = try known(name) }
    return try authors(found.map(\.id))
  }

  /// Returns the authors, marked if they bear the name of an account. O(accounts) if one is of another source.
  func markingNamesakes(_ authors: [Author]) throws(StoreError) -> [Author] {
    guard authors.contains(where: { !$0.source.isEmpty }) else { return authors }
    let names = Set(try AccountReader(connection).accounts().map { AccountName.folded(Array($0.name.utf8)) })
    var marked = authors
    for (index, author) in authors.enumerated() where !author.source.isEmpty {
      let handle = AccountName.folded(author.handle.utf8)
      marked[index].isNamesake = names.contains(handle) && AccountName.folded(author.claimant.utf8) != handle
    }
    return marked
  }

  /// Returns the authors and reposters of `posts`.
  func authors(of posts: some Sequence<StoredPost>) throws(StoreError) -> [Author] {
    var ids: Set<AuthorID> = []
    for post in posts {
      ids.insert(post.author)
      if let reposter = post.repostedBy { ids.insert(reposter) }
    }
    return try authors(ids)
  }

  /// See ``StoreReader/resolve(author:for:)``.
  func resolve(_ reference: String, for account: AccountID) throws(StoreError) -> AuthorID? {
    if let number = Int64(reference), try isKnown(AuthorID(number), to: account) { return AuthorID(number) }
    if let colon = reference.firstIndex(of: ":") {
      let (source, nativeID) = (String(reference[..<colon]), String(reference[reference.index(after: colon)...]))
      guard let found = try connection.number(AuthorQuery.byName, source, nativeID).map({ AuthorID($0) }) else {
        return nil
      }
      return try isKnown(found, to: account) ? found : nil
    }
    return try find(handle: reference.hasPrefix("@") ? String(reference.dropFirst()) : reference, for: account)
  }

  private func find(handle: String, for account: AccountID) throws(StoreError) -> AuthorID? {
    if handle.isEmpty { return nil }
    let called = try connection.rows(AuthorQuery.byHandle, handle, LocalSource.name) { row in
      (id: AuthorID(row.integer(0)), hasAccount: row.integer(1) != 0)
    }
    var first: AuthorID?
    for (id, hasAccount) in called where try isKnown(id, to: account) {
      if hasAccount { return id }
      if first.map({ id.rawValue < $0.rawValue }) ?? true { first = id }
    }
    return first
  }

  /// Returns true if `account` may know of an author (``AuthorQuery/knows(_:to:local:)``).
  func isKnown(_ author: AuthorID, to account: AccountID) throws(StoreError) -> Bool {
    try connection.flag(AuthorQuery.isKnown, author, account, LocalSource.name)
  }

  /// Throws ``Refusal/noAuthor(_:)`` for an author of whom the account cannot see anything.
  func check(_ author: AuthorID, for account: AccountID) throws {
    guard try isKnown(author, to: account) else { throw Refusal.noAuthor(author) }
  }

  /// Returns the authors that `account` has claimed, including its own first author, ordered by ID.
  func identities(of account: AccountID) throws(StoreError) -> [AuthorID] {
    try connection.rows(IdentityQuery.ofAccount, account) { AuthorID($0.integer(0)) }
  }
}

extension Author {
  /// Reads the columns of ``AuthorQuery/columns(_:)``. Whether it is a namesake is not among them.
  init(row: Statement) {
    let source = SafeText(trusted: row.bytes(4))
    self.init(
      id: AuthorID(row.integer(0)), handle: SafeText(trusted: row.bytes(1)),
      displayName: SafeText(trusted: row.bytes(2)), avatarURL: SafeText(trusted: row.bytes(3)), source: source,
      claimant: source.isEmpty ? .empty : SafeText(trusted: row.bytes(5)))
  }
}
