internal import Posts
internal import ViewState

/// Creates accounts and changes their names and settings.
final class Accounts {
  private let connection: Connection
  private let transaction: Transaction
  private let reader: AccountReader
  private let authors: Authors
  private let sources: Sources
  private let identities: IdentityLookup
  private let groups: AudienceGroups
  private let lists: ListRows
  private let claims: IdentityClaims
  private let following: Following
  private let feedAuthors: FeedAuthors
  private let setting: FollowSetting

  init(
    _ connection: Connection, _ transaction: Transaction, sources: Sources, authors: Authors,
    identities: IdentityLookup, groups: AudienceGroups, lists: ListRows, claims: IdentityClaims, following: Following,
    feedAuthors: FeedAuthors
  ) {
    self.feedAuthors = feedAuthors
    (self.connection, self.transaction) = (connection, transaction)
    reader = AccountReader(connection)
    setting = FollowSetting(connection)
    (self.sources, self.authors, self.identities) = (sources, authors, identities)
    (self.groups, self.lists, self.claims, self.following) = (groups, lists, claims, following)
  }

  /// Finds or creates the account. A Unix user always gets an account, whatever the system calls the user; the only
  /// refusal is for too many accounts.
  func open(uid: UInt32?, name: String) throws -> Account {
    if let known = try reader.account(uid: uid, name: name) { return known }
    guard let uid else { return try make(name) }
    let free = try AccountName.free(for: name, uid: uid) { name throws(StoreError) in try isTaken(name) }
    return try make(free, uid)
  }

  /// Creates an account without a Unix user, under a free name that can be written after an "@".
  func make(_ name: String) throws -> Account {
    try Refusal.checkName(name, "the account's name", limit: AccountName.limit)
    guard AccountName.isUsable(name) else { throw Refusal.unusableName(name) }
    guard try !isTaken(name) else { throw Refusal.nameTaken(name) }
    return try make(name, nil)
  }

  /// Returns true if an account has this name, or an author of source `stack`, whose posts came with an import: they
  /// would become a new account's own, whoever wrote them.
  private func isTaken(_ name: String) throws(StoreError) -> Bool {
    if try reader.account(named: name) != nil { return true }
    return try authors.find(AuthorKey(source: sources.local(), nativeID: name)) != nil
  }

  /// Creates an account with its author, its first identity and its lists. In an `open` store the new account and all
  /// others follow each other: the accounts of a daemon are a team until they unfollow. In an `ask` store it follows
  /// nobody.
  private func make(_ name: String, _ uid: UInt32?) throws -> Account {
    guard try reader.count() < StoreLimits.accounts else {
      throw Refusal.tooMany("accounts", limit: StoreLimits.accounts)
    }
    let number = try connection.insert(AccountQuery.insert, uid.map { Int64($0) }, name)
    transaction.noteChange()
    let account = Account(id: AccountID(number), uid: uid, name: name)
    try groups.admit(account.id)
    for kind in [ListKind.home, .mentions, .messages] { _ = try lists.insert(kind, account: account.id) }
    try claims.claim(try authors.local(name).id, for: account.id)
    if try setting.policy() == .open { try following.introduce(account) }
    return account
  }

  /// Changes the name under which an account is shown, or the line about itself, or both. An empty name takes the
  /// chosen one back.
  func setProfile(of id: AccountID, displayName: SafeText?, about: SafeText?) throws -> (Account, Author) {
    var account = try reader.existing(id)
    if let displayName {
      if !displayName.isEmpty {
        try Refusal.checkName(displayName.string, "the name", limit: StoreLimits.displayNameBytes)
      }
      account.displayName = displayName.isEmpty ? nil : displayName
    }
    if let about {
      if !about.isEmpty { try Refusal.checkName(about.string, "the line", limit: StoreLimits.aboutBytes) }
      account.about = about
    }
    try connection.run(AccountQuery.setProfile, id, account.displayName, account.about)
    transaction.noteChange()
    let shown = account.displayName ?? SafeText(line: account.name)
    let author = ImportedAuthor(nativeID: account.name, handle: SafeText(line: account.name), displayName: shown)
    return (account, try authors.upsert(author, source: sources.local(), by: id).author)
  }

  /// Changes the handle of the account's own author, and the display name unless the account has chosen one.
  func nameAuthor(of id: AccountID, handle: SafeText, displayName: SafeText) throws -> Author {
    let account = try reader.existing(id)
    let displayName = account.displayName ?? displayName
    let imported = ImportedAuthor(nativeID: account.name, handle: handle, displayName: displayName)
    return try authors.upsert(imported, source: sources.local(), by: id).author
  }

  /// Claims an author for the account. The account must know the author already, and no other account may have claimed
  /// it.
  func claimIdentity(_ id: AccountID, source: String, nativeID: String) throws -> Author {
    _ = try reader.existing(id)
    guard let number = try sources.find(source),
      let author = try authors.find(AuthorKey(source: number, nativeID: nativeID)),
      try source != LocalSource.name || reader.account(named: nativeID)?.id == id,
      try !feedAuthors.contains(author.id),
      try AuthorReader(connection).isKnown(author.id, to: id)
    else { throw Refusal.noSuchAuthor(source: source, nativeID: nativeID) }
    try claim(author.id, for: id)
    return author
  }

  /// Claims the author of a login, who is stored if need be. Returns nil if the login does not say who that is.
  func claimIdentity(of login: AccountLogin) throws -> Author? {
    guard let identity = login.identity else { return nil }
    let author = try authors.upsert(identity, source: sources.number(of: login.source), by: login.account).author
    try claim(author.id, for: login.account)
    return author
  }

  private func claim(_ author: AuthorID, for id: AccountID) throws {
    let others = try identities.accounts(of: author).filter { $0 != id }
    if let other = others.first { throw Refusal.claimed(by: try reader.existing(other).name) }
    try claims.claim(author, for: id)
  }

  /// Changes how accounts come to be followed. What exists stays: follows, and requests that wait for an answer. No frame
  /// shows the setting, so it has no revision.
  func setFollows(_ policy: FollowPolicy) throws(StoreError) { try setting.set(policy) }

  /// Sets the maximum length of an account's posts.
  func setPostLimit(of id: AccountID, _ limit: Int?) throws -> Account {
    var account = try reader.existing(id)
    if let limit, !(1...StoreLimits.postLimit).contains(limit) { throw Refusal.unusableLimit(limit) }
    if account.postLimit == limit { return account }
    try connection.run(AccountQuery.setPostLimit, id, limit)
    transaction.noteChange()
    account.postLimit = limit
    return account
  }
}
