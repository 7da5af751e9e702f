internal import Posts

/// Key that identifies an author.
struct AuthorKey: Hashable {
  /// The source's ID in the store.
  var source: Int64
  /// The author's ID in the source.
  var nativeID: String
}

/// Accounts whose names or identities changed. Their mentions are recomputed at the end of the transaction.
final class RenamedAccounts {
  private(set) var accounts: Set<AccountID> = []

  /// Records accounts whose mentions may have changed.
  func insert(_ renamed: some Sequence<AccountID>) { accounts.formUnion(renamed) }

  func endTransaction() { accounts = [] }
}

/// Finds, stores and updates authors; caches those that a transaction has met.
final class Authors {
  private let connection: Connection
  private let transaction: Transaction
  private let sources: Sources
  private let identities: IdentityLookup
  private let renames: RenamedAccounts
  /// Authors met in this transaction, as they are stored.
  private var met: [AuthorKey: Author] = [:]

  init(
    _ connection: Connection, _ transaction: Transaction, _ sources: Sources, _ identities: IdentityLookup,
    _ renames: RenamedAccounts
  ) {
    (self.connection, self.transaction, self.sources) = (connection, transaction, sources)
    (self.identities, self.renames) = (identities, renames)
  }

  func endTransaction() { met = [:] }

  /// Returns the author with this key; nil if there is none.
  func find(_ key: AuthorKey) throws(StoreError) -> Author? {
    if let known = met[key] { return known }
    guard let author = try connection.first(AuthorQuery.find, key.source, key.nativeID, read: Author.init(row:)) else {
      return nil
    }
    met[key] = author
    return author
  }

  /// Returns the author of the account with this name, created on first use.
  func local(_ name: String) throws(StoreError) -> Author {
    let key = AuthorKey(source: try sources.local(), nativeID: name)
    if let known = try find(key) { return known }
    let shown = SafeText(line: name)
    return try insert(ImportedAuthor(nativeID: name, handle: shown, displayName: shown), key)
  }

  /// Stores an author as an importer read it. A field that the source leaves empty keeps its stored value. An author
  /// that another account has claimed is not changed, and the handle of an account's own author is always its name.
  ///
  /// - Returns: the author as stored, and true if it is new or changed.
  func upsert(
    _ imported: ImportedAuthor, source: Int64, by account: AccountID
  ) throws(StoreError) -> (author: Author, isChanged: Bool) {
    let key = AuthorKey(source: source, nativeID: imported.nativeID)
    guard let known = try find(key) else { return (try insert(imported, key), true) }
    var author = known
    if try source == sources.local() {
      author.handle = SafeText(line: imported.nativeID)
    } else if !imported.handle.isEmpty {
      author.handle = imported.handle
    }
    if !imported.displayName.isEmpty { author.displayName = imported.displayName }
    if !imported.avatarURL.isEmpty { author.avatarURL = imported.avatarURL }
    guard author != known, try !identities.belongsToAnother(known.id, than: account) else { return (known, false) }
    try connection.run(AuthorQuery.update, author.id, author.handle, author.displayName, author.avatarURL)
    met[key] = author
    transaction.noteChange()
    if author.handle != known.handle, try source != sources.local() { try recordRename(of: author.id) }
    return (author, true)
  }

  private func insert(_ imported: ImportedAuthor, _ key: AuthorKey) throws(StoreError) -> Author {
    let number = try connection.insert(
      AuthorQuery.insert, key.source, key.nativeID, imported.handle, imported.displayName, imported.avatarURL)
    let source = try key.source == sources.local() ? nil : sources.name(of: key.source)
    let author = Author(
      id: AuthorID(number), handle: imported.handle, displayName: imported.displayName,
      avatarURL: imported.avatarURL, source: source.map { SafeText($0) } ?? .empty)
    met[key] = author
    transaction.noteChange()
    return author
  }

  /// Records the new handle of an author.
  private func recordRename(of author: AuthorID) throws(StoreError) {
    let accounts = try identities.accounts(of: author)
    if accounts.isEmpty { return }
    identities.forget()
    renames.insert(accounts)
  }
}
