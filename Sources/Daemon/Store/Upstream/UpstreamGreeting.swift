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

  public init(source: String, name: String, account: AccountID, identity: ImportedAuthor? = nil) {
    (self.source, self.name, self.account, self.identity) = (source, name, account, identity)
  }
}

/// Greets programs: notes what each can do, and tells it whom it speaks for and how far it has read.
final class Greetings {
  private let connection: Connection
  private let sources: Sources
  private let programs: SourcePrograms
  private let accounts: AccountReader
  private let cursors: Cursors

  init(_ connection: Connection, sources: Sources, programs: SourcePrograms) {
    self.connection = connection
    (self.sources, self.programs) = (sources, programs)
    accounts = AccountReader(connection)
    cursors = Cursors(connection)
  }

  /// Returns what a program is told. One that reads no feeds, and by which nobody signs in, has one login, called as its
  /// source, for the account of the daemon's user.
  func greet(_ greeting: UpstreamGreeting) throws -> [UpstreamNotice] {
    let source = try sources.number(of: greeting.source)
    try programs.save(greeting.hello, at: source)
    if !greeting.hello.readsFeeds, !greeting.hello.signsIn { try openLogin(greeting, at: source) }
    let logins = try connection.rows(UpstreamQuery.logins, source) { ($0.text(0), AccountID($0.integer(1))) }
    return try logins.map { try notice($0, of: $1, at: source) }
  }

  private func notice(_ login: String, of account: AccountID, at source: Int64) throws -> UpstreamNotice {
    .login(
      login, account: try accounts.existing(account).name, cursors: try cursors.cursors(of: .login(login), at: source))
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
    return try notice(login.name, of: login.account, at: source)
  }

  /// Signs a login of an account out, and returns what its program is told. With `gaps` those of the login are forgotten,
  /// and so are its cursors.
  func close(_ login: AccountLogin, _ gaps: Gaps?) throws -> UpstreamNotice {
    let source = try sources.number(of: login.source)
    guard try connection.number(UpstreamQuery.login, source, login.name) == login.account.rawValue else {
      throw Refusal.unknownSubject(.login(login.name))
    }
    try connection.run(UpstreamQuery.deleteLogin, source, login.name)
    if let gaps {
      try connection.run(UpstreamQuery.deleteCursors, source, login.name)
      try gaps.forget(login)
    }
    return .signedOut(login: login.name)
  }

  private func openLogin(_ greeting: UpstreamGreeting, at source: Int64) throws {
    guard try connection.number(UpstreamQuery.login, source, greeting.source) == nil else { return }
    let account = try accounts.existing(greeting.account)
    try connection.run(UpstreamQuery.insertLogin, source, greeting.source, account.id)
  }
}
