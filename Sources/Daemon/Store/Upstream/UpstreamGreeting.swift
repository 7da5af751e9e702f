public import Posts

/// The first line of a source's program, as the store takes it.
public struct UpstreamGreeting: Equatable, Sendable {
  public var source: String
  public var hello: UpstreamHello
  /// The account of the user who runs the daemon.
  public var account: AccountID

  public init(source: String, hello: UpstreamHello, account: AccountID) {
    (self.source, self.hello, self.account) = (source, hello, account)
  }
}

/// A login that an account signs in or out.
public struct AccountLogin: Equatable, Sendable {
  public var source: String
  public var name: String
  public var account: AccountID
  /// The author whom the account is there, and claims when it signs in; nil if that is not known.
  public var identity: ImportedAuthor?
  /// True if what the account saves is to be kept in the login's bookmarks.
  public var keepsBookmarks: Bool

  public init(
    source: String, name: String, account: AccountID, identity: ImportedAuthor? = nil, keepsBookmarks: Bool = false
  ) {
    (self.source, self.name, self.account, self.identity) = (source, name, account, identity)
    self.keepsBookmarks = keepsBookmarks
  }
}

/// Greets programs: notes what each can do, and tells it whom it speaks for and how far it has read.
final class Greetings {
  private let connection: Connection
  private let sources: Sources
  private let programs: SourcePrograms
  private let accounts: AccountReader
  private let cursors: Cursors
  private let gaps: Gaps

  init(_ connection: Connection, sources: Sources, programs: SourcePrograms, gaps: Gaps) {
    self.connection = connection
    (self.sources, self.programs, self.gaps) = (sources, programs, gaps)
    accounts = AccountReader(connection)
    cursors = Cursors(connection)
  }

  /// Returns what a program is told. One that reads no feeds, and by which nobody signs in, has one login, called as its
  /// source, for the account of the daemon's user.
  func greet(_ greeting: UpstreamGreeting) throws -> [UpstreamNotice] {
    let source = try sources.number(of: greeting.source)
    try programs.save(greeting.hello, at: source)
    if !greeting.hello.readsFeeds, !greeting.hello.signsIn { try openLogin(greeting, at: source) }
    let ended = try connection.rows(UpstreamQuery.endedLogins, source) { UpstreamNotice.signedOut(login: $0.text(0)) }
    return try ended + Servers(connection).logins(at: source).map { try notice($0, of: $1, at: source) }
  }

  /// Makes the logins of an account at a source start anew, as after signing in for the first time; nil means those of
  /// all accounts. Returns what their program is told.
  func restart(loginsOf account: AccountID?, at source: String) throws -> [UpstreamNotice] {
    guard source != StoredFeed.source, let number = try sources.find(source) else { return [] }
    let own = try Servers(connection).logins(at: number).filter { account == nil || $0.account == account }
    return try own.map { login in
      try forgetProgress(of: AccountLogin(source: source, name: login.name, account: login.account), at: number)
      return try notice(login.name, of: login.account, at: number)
    }
  }

  private func notice(_ login: String, of account: AccountID, at source: Int64) throws -> UpstreamNotice {
    .login(
      login, account: try accounts.existing(account).name, cursors: try cursors.cursors(of: .login(login), at: source),
      keepsBookmarks: try Servers(connection).keepsBookmarks(login, at: source))
  }

  /// Signs a login in for an account, and returns what its program is told.
  func open(_ login: AccountLogin) throws -> UpstreamNotice {
    let source = try sources.number(of: login.source)
    if let known = try connection.number(UpstreamQuery.login, source, login.name) {
      guard known == login.account.rawValue else { throw Refusal.loginTaken(login.name) }
    } else {
      guard try connection.number(UpstreamQuery.loginCount, source, login.account) ?? 0 < StoreLimits.logins else {
        throw Refusal.tooMany("logins", limit: StoreLimits.logins)
      }
      try connection.run(UpstreamQuery.insertLogin, source, login.name, login.account)
    }
    try connection.run(UpstreamQuery.setBookmarks, source, login.name, login.keepsBookmarks ? 1 : 0)
    try connection.run(UpstreamQuery.deleteEndedLogin, source, login.name)
    return try notice(login.name, of: login.account, at: source)
  }

  /// Signs a login of an account out, and returns what its program is told. With `forgets` its cursors and gaps go too.
  /// With `isKnown` false the program is told again when it starts.
  func close(_ login: AccountLogin, forgets: Bool, isKnown: Bool) throws -> UpstreamNotice {
    let source = try sources.number(of: login.source)
    guard try connection.number(UpstreamQuery.login, source, login.name) == login.account.rawValue else {
      throw Refusal.unknownSubject(.login(login.name))
    }
    try connection.run(UpstreamQuery.deleteLogin, source, login.name)
    if forgets { try forgetProgress(of: login, at: source) }
    if !isKnown {
      let number = try connection.insert(UpstreamQuery.insertEndedLogin, source, login.name)
      try connection.run(UpstreamQuery.deleteEndedLoginsBefore, number - Int64(StoreLimits.endedLogins))
    }
    return .signedOut(login: login.name)
  }

  /// Forgets how far a login has been read, and its gaps.
  private func forgetProgress(of login: AccountLogin, at source: Int64) throws(StoreError) {
    try connection.run(UpstreamQuery.deleteCursors, source, login.name)
    try gaps.forget(login)
  }

  private func openLogin(_ greeting: UpstreamGreeting, at source: Int64) throws {
    guard try connection.number(UpstreamQuery.login, source, greeting.source) == nil else { return }
    let account = try accounts.existing(greeting.account)
    try connection.run(UpstreamQuery.insertLogin, source, greeting.source, account.id)
  }
}
