internal import Posts

/// A server at which an account has a login.
struct OriginServer {
  /// Its number in the store.
  var number: Int64
  /// Its host in lower case, with the port if there is one.
  var host: String
  /// The login.
  var login: String

  /// True if what has this ID is published there.
  func publishes(_ nativeID: String) -> Bool { WebAddress(nativeID).host == host }
}

/// Finds the servers at which logins are.
struct Servers {
  private let connection: Connection

  init(_ connection: Connection) { self.connection = connection }

  /// Returns the server of a login, `ann@social.example` or a host alone; stored on first use.
  func server(of login: String, at source: Int64) throws(StoreError) -> OriginServer {
    let host = Self.host(of: login)
    if let number = try number(of: host, at: source) { return OriginServer(number: number, host: host, login: login) }
    let number = try connection.insert(UpstreamQuery.insertServer, source, host)
    return OriginServer(number: number, host: host, login: login)
  }

  /// Returns the server of a direct conversation.
  func server(of people: RemotePeople) throws(StoreError) -> OriginServer? {
    try connection.first(UpstreamQuery.host, people.server) { $0.text(0) }
      .map { OriginServer(number: people.server, host: $0, login: people.login) }
  }

  /// Returns the logins at a source with their accounts, in order.
  func logins(at source: Int64) throws(StoreError) -> [(name: String, account: AccountID)] {
    try connection.rows(UpstreamQuery.logins, source) { ($0.text(0), AccountID($0.integer(1))) }
  }

  /// Returns the logins of an account, in order.
  func logins(of account: AccountID, at source: Int64) throws(StoreError) -> [String] {
    try logins(at: source).filter { $0.account == account }.map(\.name)
  }

  /// Returns the login by which an account acts on a post: the first at the server whose word the post is, else the
  /// account's first; nil if it has none.
  func login(of account: AccountID, at source: Int64, for server: Int64) throws(StoreError) -> String? {
    let logins = try logins(of: account, at: source)
    guard let host = try connection.first(UpstreamQuery.host, server, read: { $0.text(0) }) else { return logins.first }
    return logins.first { Self.host(of: $0) == host } ?? logins.first
  }

  /// Returns the login by which an account acts on a post, writes one, or sends its files: the one that takes part in the
  /// direct conversation `audience`, else as ``login(of:at:for:)``.
  func login(of account: AccountID, in audience: Audience?, at source: Int64, for server: Int64) throws(StoreError)
    -> String?
  {
    if let audience, let login = try AudienceGroupReader(connection).remotePeople(of: audience)?.login,
      !login.isEmpty
    {
      return login
    }
    return try login(of: account, at: source, for: server)
  }

  /// Returns true if what the account of a login saves is kept in its bookmarks.
  func keepsBookmarks(_ login: String, at source: Int64) throws(StoreError) -> Bool {
    try connection.number(UpstreamQuery.bookmarks, source, login) == 1
  }

  /// Returns true if what has this ID is published by a server at which a login is.
  func hasPublisher(of nativeID: String, at source: Int64) throws(StoreError) -> Bool {
    let host = WebAddress(nativeID).host
    if host.isEmpty { return false }
    return try number(of: host, at: source) != nil
  }

  /// True if an author's own server is another one here, whose word about the author counts.
  func isNamedElsewhere(_ author: ImportedAuthor, at source: Int64, than server: OriginServer) throws(StoreError)
    -> Bool
  {
    if server.publishes(author.nativeID) { return false }
    return try hasPublisher(of: author.nativeID, at: source)
  }

  private func number(of host: String, at source: Int64) throws(StoreError) -> Int64? {
    try connection.number(UpstreamQuery.server, source, host)
  }

  private static func host(of login: String) -> String { (login.split(separator: "@").last ?? "").lowercased() }
}
