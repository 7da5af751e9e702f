internal import Posts

/// Reads accounts.
struct AccountReader {
  private let connection: Connection

  init(_ connection: Connection) { self.connection = connection }

  /// Returns the account with this ID; nil if there is none.
  func account(_ id: AccountID) throws(StoreError) -> Account? {
    try connection.first(AccountQuery.byNumber, id, read: Account.init(row:))
  }

  /// Returns the account, or throws ``Refusal/noSuchAccount(_:)``.
  func existing(_ id: AccountID) throws -> Account {
    guard let account = try account(id) else { throw Refusal.noSuchAccount(id) }
    return account
  }

  /// Returns the account of a Unix user; nil if there is none.
  func account(uid: UInt32) throws(StoreError) -> Account? {
    try connection.first(AccountQuery.byUID, Int64(uid), read: Account.init(row:))
  }

  /// Returns the account with this name; nil if there is none.
  func account(named name: String) throws(StoreError) -> Account? {
    try connection.first(AccountQuery.byName, name, read: Account.init(row:))
  }

  /// Returns the account of a Unix user or, without `uid`, the one with this name; nil if there is none.
  func account(uid: UInt32?, name: String) throws(StoreError) -> Account? {
    if let uid { return try account(uid: uid) }
    return try account(named: name)
  }

  /// Returns all accounts in order of creation.
  func accounts() throws(StoreError) -> [Account] {
    try connection.rows(AccountQuery.everyAccount, read: Account.init(row:))
  }

  /// Returns the number of accounts.
  func count() throws(StoreError) -> Int { try connection.count(AccountQuery.count) }

  /// Returns the accounts that follow an author, ordered by ID.
  func followers(of author: AuthorID) throws(StoreError) -> [Account] {
    try connection.rows(FollowQuery.followers, author, read: Account.init(row:))
      .sorted { $0.id.rawValue < $1.id.rawValue }
  }

  /// Returns the account that writes as this author; nil if the author is not an account's own.
  func account(writingAs author: AuthorID) throws(StoreError) -> Account? {
    try connection.first(AccountQuery.byAuthor, author, LocalSource.name, read: Account.init(row:))
  }

  /// Returns the author of an account's local posts.
  func localAuthor(of account: AccountID) throws(StoreError) -> Author? {
    try connection.first(AuthorQuery.ofAccount, account, LocalSource.name, read: Author.init(row:))
  }
}

extension Account {
  /// Reads the columns of ``AccountQuery/columns(_:)``.
  init(row: Statement) {
    self.init(
      id: AccountID(row.integer(0)), uid: row.optionalInteger(1).map { UInt32(truncatingIfNeeded: $0) },
      name: row.text(2),
      postLimit: row.optionalInteger(3).map { Int($0) })
    displayName = row.isNull(4) ? nil : SafeText(trusted: row.bytes(4))
    about = SafeText(trusted: row.bytes(5))
  }
}
