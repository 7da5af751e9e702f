internal import Posts

extension PostStore {
  /// The source of what is written on this daemon.
  static let localSource = "stack"

  /// The number of the source called `name`, made on first use.
  func source(_ name: String) throws(StoreError) -> Int64 {
    if let known = sources[name] { return known }
    let id: Int64
    if let found = try find(source: name) { id = found } else { id = try insert(source: name) }
    sources[name] = id
    return id
  }

  /// The number of ``localSource``, made on first use.
  func local() throws(StoreError) -> Int64 {
    if let known = localSourceID { return known }
    let id = try source(PostStore.localSource)
    localSourceID = id
    return id
  }

  /// The number of the source called `name`, if there is one.
  func find(source name: String) throws(StoreError) -> Int64? {
    let statement = try connection.statement(.findSource)
    defer { statement.reset() }
    statement.bind(1, text: name)
    return try statement.step() ? statement.integer(0) : nil
  }

  private func insert(source name: String) throws(StoreError) -> Int64 {
    let statement = try connection.statement(.insertSource)
    defer { statement.reset() }
    statement.bind(1, text: name)
    _ = try statement.step()
    noteChange()
    return statement.integer(0)
  }

  /// The author known by `key`, if there is one.
  func find(author key: AuthorKey) throws(StoreError) -> Author? {
    if let known = transaction?.authors[key] { return known }
    let statement = try connection.statement(.findAuthor)
    defer { statement.reset() }
    statement.bind(1, key.source)
    statement.bind(2, text: key.nativeID)
    guard try statement.step() else { return nil }
    let author = Author(row: statement)
    transaction?.authors[key] = author
    return author
  }

  /// Stores an author as an importer read it. What a source leaves empty does not erase what it said before, and one
  /// whom an account has claimed is called as that account says.
  ///
  /// - Returns: the author as stored, and whether that is new or changed.
  func upsert(
    author imported: ImportedAuthor, source: Int64, by account: AccountID
  ) throws(StoreError) -> (author: Author, isChanged: Bool) {
    let key = AuthorKey(source: source, nativeID: imported.nativeID)
    guard let known = try find(author: key) else { return (try insert(author: imported, key), true) }
    var author = known
    if !imported.handle.isEmpty { author.handle = imported.handle }
    if !imported.displayName.isEmpty { author.displayName = imported.displayName }
    if !imported.avatarURL.isEmpty { author.avatarURL = imported.avatarURL }
    guard author != known, try !belongsToAnother(known.id, than: account) else { return (known, false) }
    try update(author: author, key)
    if author.handle != known.handle, try source != local() { try noteName(of: author.id) }
    return (author, true)
  }

  /// Stores an author who is not known.
  func insert(author imported: ImportedAuthor, _ key: AuthorKey) throws(StoreError) -> Author {
    let statement = try connection.statement(.insertAuthor)
    defer { statement.reset() }
    statement.bind(1, key.source)
    statement.bind(2, text: key.nativeID)
    statement.bind(3, text: imported.handle.utf8)
    statement.bind(4, text: imported.displayName.utf8)
    statement.bind(5, text: imported.avatarURL.utf8)
    _ = try statement.step()
    let author = Author(
      id: AuthorID(statement.integer(0)), handle: imported.handle, displayName: imported.displayName,
      avatarURL: imported.avatarURL)
    transaction?.authors[key] = author
    noteChange()
    return author
  }

  private func update(author: Author, _ key: AuthorKey) throws(StoreError) {
    let statement = try connection.statement(.updateAuthor)
    defer { statement.reset() }
    statement.bind(1, author.id.rawValue)
    statement.bind(2, text: author.handle.utf8)
    statement.bind(3, text: author.displayName.utf8)
    statement.bind(4, text: author.avatarURL.utf8)
    _ = try statement.step()
    transaction?.authors[key] = author
    noteChange()
  }
}
