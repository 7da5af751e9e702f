public import Posts

extension StoreReader {
  /// The account with this number, if there is one.
  public func account(_ id: AccountID) throws(StoreError) -> Account? {
    let statement = try connection.statement(.account)
    defer { statement.reset() }
    statement.bind(1, id.rawValue)
    return try statement.step() ? Account(row: statement) : nil
  }

  /// The account of a Unix user, if there is one.
  func account(uid: UInt32) throws(StoreError) -> Account? {
    let statement = try connection.statement(.accountByUID)
    defer { statement.reset() }
    statement.bind(1, Int64(uid))
    return try statement.step() ? Account(row: statement) : nil
  }

  /// The account with this name, if there is one.
  public func account(named name: String) throws(StoreError) -> Account? {
    let statement = try connection.statement(.accountByName)
    defer { statement.reset() }
    statement.bind(1, text: name)
    return try statement.step() ? Account(row: statement) : nil
  }
}

extension StoreReader {
  /// All accounts, in the order in which they were made.
  public func accounts() throws(StoreError) -> [Account] { try accounts(try connection.statement(.accounts)) }

  /// How many there are.
  func accountCount() throws(StoreError) -> Int {
    let statement = try connection.statement(.accountCount)
    defer { statement.reset() }
    return try statement.step() ? Int(statement.integer(0)) : 0
  }

  /// The accounts that follow an author, in the order of their numbers. Whoever writes for followers writes for them.
  public func followers(of author: AuthorID) throws(StoreError) -> [Account] {
    let statement = try connection.statement(.followers)
    statement.bind(1, author.rawValue)
    return try accounts(statement).sorted { $0.id.rawValue < $1.id.rawValue }
  }

  /// The account whose own author this is, if it is one's.
  public func account(writingAs author: AuthorID) throws(StoreError) -> Account? {
    let statement = try connection.statement(.accountByAuthor)
    defer { statement.reset() }
    statement.bind(1, author.rawValue)
    statement.bind(2, text: PostStore.localSource)
    return try statement.step() ? Account(row: statement) : nil
  }

  /// The author of what an account writes here: source ``PostStore/localSource``, the account's name as native id.
  public func localAuthor(of account: AccountID) throws(StoreError) -> Author? {
    let statement = try connection.statement(.authorOfAccount)
    defer { statement.reset() }
    statement.bind(1, account.rawValue)
    statement.bind(2, text: PostStore.localSource)
    return try statement.step() ? Author(row: statement) : nil
  }

  private func accounts(_ statement: Statement) throws(StoreError) -> [Account] {
    defer { statement.reset() }
    var accounts: [Account] = []
    while try statement.step() { accounts.append(Account(row: statement)) }
    return accounts
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
