public import Posts

extension PostStore {
  /// The account of a Unix user, or without `uid` the one of this name; made on first use, which is a
  /// commit of its own.
  ///
  /// - Throws: ``StoreError`` by the disk, ``Refusal`` for a name that is empty or too long.
  public func account(uid: UInt32?, name: String) throws -> Account {
    if let known = try known(uid, name) { return known }
    switch try commit([.openAccount(uid: uid, name: name)]).outcomes[0] {
    case .accountOpened(let account): return account
    case .refused(let refusal): throw refusal
    default: preconditionFailure("an account is opened or refused")
    }
  }

  /// The author of what the account writes: source `stack`, the account's name as native id.
  public func localAuthor(of account: AccountID) throws(StoreError) -> Author? {
    guard let account = try self.account(account), let source = try find(source: PostStore.localSource) else { return nil }
    return try find(author: AuthorKey(source: source, nativeID: account.name))
  }

  /// Finds the account or makes it, its author and its first identity.
  func openAccount(_ uid: UInt32?, _ name: String) throws -> Account {
    if let known = try known(uid, name) { return known }
    let isTaken = try account(named: name) != nil
    let free = if let uid, isTaken { "\(name)-\(uid)" } else { name }
    try checkName(free, "the account's name")
    let id = try insert(account: free, uid)
    let author = try localAuthor(free)
    try claim(author.id, for: id)
    return Account(id: id, uid: uid, name: free)
  }

  private func known(_ uid: UInt32?, _ name: String) throws(StoreError) -> Account? {
    if let uid { return try account(uid: uid) }
    return try account(named: name)
  }

  /// Changes how the account's own author is shown.
  func nameAuthor(_ id: AccountID, _ handle: SafeText, _ displayName: SafeText) throws -> Author {
    let account = try existing(id)
    let imported = ImportedAuthor(nativeID: account.name, handle: handle, displayName: displayName)
    return try upsert(author: imported, source: local()).author
  }

  /// Makes the account one with an author that is known already. Own authors of other accounts are not to be had.
  func claimIdentity(_ id: AccountID, _ source: String, _ nativeID: String) throws -> Author {
    _ = try existing(id)
    guard let sourceID = try find(source: source),
      let author = try find(author: AuthorKey(source: sourceID, nativeID: nativeID)),
      try source != PostStore.localSource || account(named: nativeID)?.id == id
    else { throw Refusal.noSuchAuthor(source: source, nativeID: nativeID) }
    try claim(author.id, for: id)
    return author
  }

  /// The account, or the refusal that says there is none.
  func existing(_ id: AccountID) throws -> Account {
    guard let account = try account(id) else { throw Refusal.noSuchAccount(id) }
    return account
  }

  /// Refuses a name that is empty or too long; `what` says whose it is.
  func checkName(_ name: String, _ what: String) throws(Refusal) {
    if name.isEmpty { throw .emptyName }
    if name.utf8.count > StoreLimits.nameBytes { throw .tooLong(what, limit: StoreLimits.nameBytes) }
  }

  /// The author of the account of this name, made on first use.
  func localAuthor(_ name: String) throws(StoreError) -> Author {
    let source = try local()
    if let known = try find(author: AuthorKey(source: source, nativeID: name)) { return known }
    let shown = SafeText(line: name)
    return try upsert(author: ImportedAuthor(nativeID: name, handle: shown, displayName: shown), source: source).author
  }

  private func insert(account name: String, _ uid: UInt32?) throws(StoreError) -> AccountID {
    let statement = try connection.statement(.insertAccount)
    defer { statement.reset() }
    statement.bind(1, uid.map(Int64.init))
    statement.bind(2, text: name)
    _ = try statement.step()
    noteChange()
    return AccountID(statement.integer(0))
  }

  private func claim(_ author: AuthorID, for account: AccountID) throws(StoreError) {
    let statement = try connection.statement(.claimIdentity)
    defer { statement.reset() }
    statement.bind(1, account.rawValue)
    statement.bind(2, author.rawValue)
    _ = try statement.step()
    if connection.changes > 0 { noteChange() }
  }
}
