internal import Posts

/// What an author is known by.
struct AuthorKey: Hashable {
  /// The number of the source.
  var source: Int64
  /// The source's id of the author.
  var nativeID: String
}

/// Accounts that are called something else now, or are somebody else too: their mentions are found again at the end of
/// the transaction.
final class Renames {
  private(set) var accounts: Set<AccountID> = []

  /// Notes that the mentions of these accounts may be others now.
  func insert(_ renamed: some Sequence<AccountID>) { accounts.formUnion(renamed) }
}

/// The authors that a transaction meets, found or stored.
final class Authors {
  private let connection: Connection
  private let transaction: Transaction
  private let sources: Sources
  private let identities: IdentityLookup
  private let renames: Renames
  /// Authors met, as they are stored.
  private var met: [AuthorKey: Author] = [:]

  init(
    _ connection: Connection, _ transaction: Transaction, _ sources: Sources, _ identities: IdentityLookup,
    _ renames: Renames
  ) {
    (self.connection, self.transaction, self.sources) = (connection, transaction, sources)
    (self.identities, self.renames) = (identities, renames)
  }

  /// The author known by `key`, if there is one.
  func find(_ key: AuthorKey) throws(StoreError) -> Author? {
    if let known = met[key] { return known }
    guard let author = try connection.first(AuthorQuery.find, key.source, key.nativeID, read: Author.init(row:)) else {
      return nil
    }
    met[key] = author
    return author
  }

  /// The author of the account of this name, made on first use.
  func local(_ name: String) throws(StoreError) -> Author {
    let key = AuthorKey(source: try sources.local(), nativeID: name)
    if let known = try find(key) { return known }
    let shown = SafeText(line: name)
    return try insert(ImportedAuthor(nativeID: name, handle: shown, displayName: shown), key)
  }

  /// Stores an author as an importer read it. What a source leaves empty does not erase what it said before, and one
  /// whom an account has claimed is called as that account says.
  ///
  /// - Returns: the author as stored, and whether that is new or changed.
  func upsert(
    _ imported: ImportedAuthor, source: Int64, by account: AccountID
  ) throws(StoreError) -> (author: Author, isChanged: Bool) {
    let key = AuthorKey(source: source, nativeID: imported.nativeID)
    guard let known = try find(key) else { return (try insert(imported, key), true) }
    var author = known
    if !imported.handle.isEmpty { author.handle = imported.handle }
    if !imported.displayName.isEmpty { author.displayName = imported.displayName }
    if !imported.avatarURL.isEmpty { author.avatarURL = imported.avatarURL }
    guard author != known, try !identities.belongsToAnother(known.id, than: account) else { return (known, false) }
    try connection.run(AuthorQuery.update, author.id, author.handle, author.displayName, author.avatarURL)
    met[key] = author
    transaction.noteChange()
    if author.handle != known.handle, try source != sources.local() { try noteName(of: author.id) }
    return (author, true)
  }

  private func insert(_ imported: ImportedAuthor, _ key: AuthorKey) throws(StoreError) -> Author {
    let number = try connection.insert(
      AuthorQuery.insert, key.source, key.nativeID, imported.handle, imported.displayName, imported.avatarURL)
    let author = Author(
      id: AuthorID(number), handle: imported.handle, displayName: imported.displayName,
      avatarURL: imported.avatarURL)
    met[key] = author
    transaction.noteChange()
    return author
  }

  /// Notes that an author is called something else now.
  private func noteName(of author: AuthorID) throws(StoreError) {
    let accounts = try identities.accounts(of: author)
    if accounts.isEmpty { return }
    identities.forget()
    renames.insert(accounts)
  }
}
