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

  /// Returns what a program is told. One that reads no feeds has one login, called as its source, for the account of
  /// the daemon's user.
  func greet(_ greeting: UpstreamGreeting) throws -> [UpstreamNotice] {
    let source = try sources.number(of: greeting.source)
    try programs.save(greeting.hello.operations, at: source)
    if !greeting.hello.readsFeeds { try openLogin(greeting, at: source) }
    let logins = try connection.rows(UpstreamQuery.logins, source) { ($0.text(0), AccountID($0.integer(1))) }
    return try logins.map { name, account in
      .login(
        name, account: try accounts.existing(account).name,
        cursors: try cursors.cursors(of: .login(name), at: source))
    }
  }

  private func openLogin(_ greeting: UpstreamGreeting, at source: Int64) throws {
    guard try connection.number(UpstreamQuery.login, source, greeting.source) == nil else { return }
    let account = try accounts.existing(greeting.account)
    try connection.run(UpstreamQuery.insertLogin, source, greeting.source, account.id)
  }
}
