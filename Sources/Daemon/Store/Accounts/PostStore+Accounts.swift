internal import Posts

extension PostStore {
  /// The account of a Unix user, or without `uid` the one of this name; made on first use, which is a
  /// commit of its own.
  ///
  /// - Throws: ``StoreError`` by the disk, ``Refusal`` without `uid` for a name that no account may have, and for one
  ///   account too many.
  public func account(uid: UInt32?, name: String) throws -> Account {
    if let known = try known(uid, name) { return known }
    switch try commit([.openAccount(uid: uid, name: name)]).outcomes[0] {
    case .accountOpened(let account): return account
    case .refused(let refusal): throw refusal
    default: preconditionFailure("an account is opened or refused")
    }
  }

  /// Finds the account or makes it. A user is let in whatever the system calls them: only too many accounts are
  /// refused.
  func openAccount(_ uid: UInt32?, _ name: String) throws -> Account {
    if let known = try known(uid, name) { return known }
    guard let uid else { return try makeAccount(name) }
    return try make(
      try AccountName.free(for: name, uid: uid) { name throws(StoreError) in try account(named: name) != nil }, uid)
  }

  /// Makes an account that no user has, under a name that is free and can be written after an "@".
  func makeAccount(_ name: String) throws -> Account {
    try checkName(name, "the account's name", limit: AccountName.limit)
    guard AccountName.isUsable(name) else { throw Refusal.unusableName(name) }
    guard try account(named: name) == nil else { throw Refusal.nameTaken(name) }
    return try make(name, nil)
  }

  /// Makes an account with its author, its first identity and its lists. It follows everybody here and is followed by
  /// them: a daemon's accounts are a team until one of them says otherwise.
  private func make(_ name: String, _ uid: UInt32?) throws -> Account {
    guard try accountCount() < StoreLimits.accounts else {
      throw Refusal.tooMany("accounts", limit: StoreLimits.accounts)
    }
    let account = Account(id: try insert(account: name, uid), uid: uid, name: name)
    try admit(account.id)
    for kind in [ListKind.home, .mentions, .messages] {
      _ = try insertList(kind, account: account.id, circle: nil)
    }
    try claim(try localAuthor(name).id, for: account.id)
    try introduce(account)
    return account
  }

  private func known(_ uid: UInt32?, _ name: String) throws(StoreError) -> Account? {
    if let uid { return try account(uid: uid) }
    return try account(named: name)
  }

  /// Changes how the account's own author is shown.
  func nameAuthor(_ id: AccountID, _ handle: SafeText, _ displayName: SafeText) throws -> Author {
    let account = try existing(id)
    let imported = ImportedAuthor(nativeID: account.name, handle: handle, displayName: displayName)
    return try upsert(author: imported, source: local(), by: id).author
  }

  /// Makes the account one with an author whom it knows already, and who is no other account.
  func claimIdentity(_ id: AccountID, _ source: String, _ nativeID: String) throws -> Author {
    _ = try existing(id)
    guard let sourceID = try find(source: source),
      let author = try find(author: AuthorKey(source: sourceID, nativeID: nativeID)),
      try source != PostStore.localSource || account(named: nativeID)?.id == id, try isKnown(author.id, to: id)
    else { throw Refusal.noSuchAuthor(source: source, nativeID: nativeID) }
    let others = try identities().accounts(of: author.id).filter { $0 != id }
    if let other = others.first { throw Refusal.claimed(by: try existing(other).name) }
    try claim(author.id, for: id)
    return author
  }

  /// Sets how long the posts of an account may be.
  func setPostLimit(_ id: AccountID, _ limit: Int?) throws -> Account {
    var account = try existing(id)
    if let limit, !(1...StoreLimits.postLimit).contains(limit) { throw Refusal.unusableLimit(limit) }
    if account.postLimit == limit { return account }
    let statement = try connection.statement(.setPostLimit)
    defer { statement.reset() }
    statement.bind(1, id.rawValue)
    statement.bind(2, limit.map(Int64.init))
    _ = try statement.step()
    noteChange()
    account.postLimit = limit
    return account
  }

  /// The account, or the refusal that says there is none.
  func existing(_ id: AccountID) throws -> Account {
    guard let account = try account(id) else { throw Refusal.noSuchAccount(id) }
    return account
  }

  /// Refuses a name that is empty or too long; `what` says whose it is.
  func checkName(_ name: String, _ what: String, limit: Int) throws(Refusal) {
    if name.isEmpty { throw .emptyName }
    if name.utf8.count > limit { throw .tooLong(what, limit: limit) }
  }

  /// The author of the account of this name, made on first use.
  func localAuthor(_ name: String) throws(StoreError) -> Author {
    let key = AuthorKey(source: try local(), nativeID: name)
    if let known = try find(author: key) { return known }
    let shown = SafeText(line: name)
    return try insert(author: ImportedAuthor(nativeID: name, handle: shown, displayName: shown), key)
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
}
