internal import Posts

/// Reads accounts.
struct AccountReader {
  private let connection: Connection

  init(_ connection: Connection) { self.connection = connection }

  /// The account with this number, if there is one.
  func account(_ id: AccountID) throws(StoreError) -> Account? {
    try connection.first(AccountQuery.byNumber, id, read: Account.init(row:))
  }

  /// The account, or the refusal that says there is none.
  func existing(_ id: AccountID) throws -> Account {
    guard let account = try account(id) else { throw Refusal.noSuchAccount(id) }
    return account
  }

  /// The account of a Unix user, if there is one.
  func account(uid: UInt32) throws(StoreError) -> Account? {
    try connection.first(AccountQuery.byUID, Int64(uid), read: Account.init(row:))
  }

  /// The account with this name, if there is one.
  func account(named name: String) throws(StoreError) -> Account? {
    try connection.first(AccountQuery.byName, name, read: Account.init(row:))
  }

  /// The account of a Unix user, or without `uid` the one of this name, if there is one.
  func account(uid: UInt32?, name: String) throws(StoreError) -> Account? {
    if let uid { return try account(uid: uid) }
    return try account(named: name)
  }

  /// All accounts, in the order in which they were made.
  func accounts() throws(StoreError) -> [Account] {
    try connection.rows(AccountQuery.everyAccount, read: Account.init(row:))
  }

  /// How many there are.
  func count() throws(StoreError) -> Int { try connection.count(AccountQuery.count) }

  /// The accounts that follow an author, in the order of their numbers.
  func followers(of author: AuthorID) throws(StoreError) -> [Account] {
    try connection.rows(FollowQuery.followers, author, read: Account.init(row:))
      .sorted { $0.id.rawValue < $1.id.rawValue }
  }

  /// The account whose own author this is, if it is one's.
  func account(writingAs author: AuthorID) throws(StoreError) -> Account? {
    try connection.first(AccountQuery.byAuthor, author, LocalSource.name, read: Account.init(row:))
  }

  /// The author of what an account writes here.
  func localAuthor(of account: AccountID) throws(StoreError) -> Author? {
    try connection.first(AuthorQuery.ofAccount, account, LocalSource.name, read: Author.init(row:))
  }
}

extension Account {
  /// Reads id, uid, name and limit from the first four columns.
  init(row: Statement) {
    self.init(
      id: AccountID(row.integer(0)), uid: row.optionalInteger(1).map { UInt32(truncatingIfNeeded: $0) },
      name: row.text(2),
      postLimit: row.optionalInteger(3).map { Int($0) })
  }
}
