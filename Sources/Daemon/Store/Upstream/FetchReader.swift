internal import Dates
public import Posts

/// Posts that a person wants the program of a source to bring, as they are known here.
public enum WantedPosts: Equatable, Sendable {
  /// Those of a gap, by the number of its row.
  case gap(PostID)
  /// The conversation of a post, and the posts of an author, by references.
  case conversation(String)
  case author(String)
  /// Those that match a text at a source.
  case search(String, source: String)
}

/// What a program is asked for ``WantedPosts``, or why it is not.
public enum FoundFetch: Equatable, Sendable {
  case found(UpstreamFetch, source: String, login: String)
  /// There is no such post, gap, author or source that the account may see.
  case unknown
  /// The post is a notice, which is in no conversation.
  case notice
  /// The account has no login at the source.
  case noLogin(source: String)
  /// The source no longer has the posts.
  case lost(source: String)
}

/// Finds what a program has to be asked.
struct FetchReader {
  private let connection: Connection

  init(_ connection: Connection) { self.connection = connection }

  func find(_ wanted: WantedPosts, for account: AccountID) throws(StoreError) -> FoundFetch {
    switch wanted {
    case .gap(let id):
      guard let gap = try GapReader(connection).gaps(of: account).first(where: { $0.id == id }),
        let source = try connection.number(SourceQuery.find, gap.source)
      else { return .unknown }
      if gap.isLost { return .lost(source: gap.source) }
      let fetch = UpstreamFetch.gap(
        newer: gap.newer, older: gap.older,
        above: try connection.first(FetchQuery.above, account, source, gap.newer) { $0.text(0) } ?? "",
        below: try connection.first(FetchQuery.below, account, source, gap.older) { $0.text(0) } ?? "")
      if try connection.number(UpstreamQuery.login, source, gap.login) == account.rawValue {
        return .found(fetch, source: gap.source, login: gap.login)
      }
      return try found(fetch, at: source, gap.source, for: account)
    case .conversation(let reference):
      let posts = PostReader(connection)
      guard let id = try posts.resolve(reference, visibleTo: account),
        let post = try posts.subject(of: id, visibleTo: account),
        let row = try OutboxReader(connection).upstreamPost(post.id), let name = try posts.name(of: post.id)?.source
      else { return .unknown }
      if post.body.flags.contains(.notice) { return .notice }
      let aliases = try OutboxReader(connection).aliases(of: post.id, in: row.source)
      let fetch = UpstreamFetch.conversation(post: row.nativeID, aliases: aliases)
      return try found(fetch, at: row.source, name, for: account, server: row.server)
    case .author(let reference):
      guard let author = try AuthorReader(connection).resolve(reference, for: account),
        let name = try connection.first(FetchQuery.author, author, read: { ($0.text(0), $0.integer(1), $0.text(2)) })
      else { return .unknown }
      return try found(.author(name.2), at: name.1, name.0, for: account)
    case .search(let text, let name):
      guard let source = try connection.number(SourceQuery.find, name) else { return .unknown }
      return try found(.search(text), at: source, name, for: account)
    }
  }

  private func found(
    _ fetch: UpstreamFetch, at source: Int64, _ name: String, for account: AccountID, server: Int64 = 0
  ) throws(StoreError) -> FoundFetch {
    guard let login = try Servers(connection).login(of: account, at: source, for: server) else {
      return .noLogin(source: name)
    }
    return .found(fetch, source: name, login: login)
  }
}

/// Where the files of a new post go.
public enum UploadDestination: Equatable, Sendable {
  case login(String, source: String)
  /// The post stays on this daemon.
  case here
  /// There is no such parent or source.
  case unknown
  /// The account has no login at the source.
  case noLogin(source: String)
}

extension FetchReader {
  /// Returns where the files of a new post go: to the login by which it is sent itself.
  func uploadDestination(source name: String, parent reference: String, for account: AccountID) throws(StoreError)
    -> UploadDestination
  {
    if name == LocalSource.name { return .here }
    guard !reference.isEmpty else {
      guard !name.isEmpty else { return .here }
      guard let source = try connection.number(SourceQuery.find, name) else { return .unknown }
      return try destination(at: source, name, for: account, replyingTo: nil, server: 0)
    }
    let posts = PostReader(connection)
    guard let id = try posts.resolve(reference, visibleTo: account),
      let parent = try posts.subject(of: id, visibleTo: account)?.id,
      let row = try OutboxReader(connection).upstreamPost(parent), let own = try posts.name(of: parent)?.source
    else { return .unknown }
    if own == LocalSource.name { return .here }
    // A parent that its source has not confirmed counts with the audience that it will have.
    var audience = try OutboxReader(connection).outbox(of: parent, epoch: 0).awaitedAudience
    if audience == nil { audience = try posts.post(parent)?.audience }
    return try destination(at: row.source, own, for: account, replyingTo: audience, server: row.server)
  }

  private func destination(
    at source: Int64, _ name: String, for account: AccountID, replyingTo audience: Audience?, server: Int64
  ) throws(StoreError) -> UploadDestination {
    let login = try Servers(connection).login(of: account, in: audience, at: source, for: server)
    return login.map { .login($0, source: name) } ?? .noLogin(source: name)
  }
}

/// SQL about what programs are asked for.
enum FetchQuery {
  /// The post of source ?2 in the home list of account ?1 that is next above an instant, and the next below one.
  static let above = Query(next(">=", "ASC"))
  static let below = Query(next("<=", "DESC"))
  static let author = Query(
    "SELECT s.name, s.id, a.native_id FROM authors a CROSS JOIN sources s ON s.id = a.source_id WHERE a.id = ?1")

  static let queries = [above, below, author]

  private static func next(_ comparison: String, _ order: String) -> String {
    """
    SELECT p.native_id FROM lists l CROSS JOIN entries e ON e.list_id = l.id AND e.created_at \(comparison) ?3
    CROSS JOIN posts p ON p.id = e.post_id AND p.source_id = ?2
    WHERE l.kind = \(ListKind.home.rawValue) AND l.account_id = ?1 AND l.name = ''
    ORDER BY e.created_at \(order), e.post_id \(order) LIMIT 1
    """
  }
}
