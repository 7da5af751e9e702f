internal import Posts

/// Decides to which direct conversation of an account a direct post at a server belongs: that of the people whom it
/// names, and of its author.
final class RemoteConversations {
  private let groups: AudienceGroups
  private let identities: IdentityLookup
  private let servers: Servers

  init(_ connection: Connection, groups: AudienceGroups, identities: IdentityLookup) {
    (self.groups, self.identities) = (groups, identities)
    servers = Servers(connection)
  }

  /// Returns the audience of a direct post that a login of an account has brought from a server.
  func audience(
    of post: ImportedPost, by author: AuthorID, at source: Int64, from server: OriginServer, for account: AccountID
  ) throws(StoreError) -> Audience {
    var names = post.body.mentions.map(\.string)
    if try !identities.accounts(of: author).contains(account) { names.append(post.author.handle.string) }
    return try audience(naming: names, at: source, server, for: account)
  }

  /// Returns the audience of a direct post that an account writes by its login at a source, or for the server of a post
  /// to which it replies (0 for none). Refuses one that names nobody else.
  func audience(
    naming names: [String], by account: AccountID, at source: Int64, replyingTo server: Int64
  ) throws -> Audience {
    guard let login = try servers.login(of: account, at: source, for: server) else { throw Refusal.namesNobody }
    let server = try servers.server(of: login, at: source)
    guard try !people(names, at: source, server, for: account).isEmpty else { throw Refusal.namesNobody }
    return try audience(naming: names, at: source, server, for: account)
  }

  private func audience(
    naming names: [String], at source: Int64, _ server: OriginServer, for account: AccountID
  ) throws(StoreError) -> Audience {
    let people = try people(names, at: source, server, for: account)
    return .group(try groups.conversation(of: account, with: people, at: server.number))
  }

  /// Returns the people whom a post names beside the account, as the server calls them.
  private func people(
    _ names: [String], at source: Int64, _ server: OriginServer, for account: AccountID
  ) throws(StoreError) -> Set<String> {
    var people: Set<String> = []
    let suffix = "@" + server.host
    for name in names.map({ $0.lowercased() }) {
      let short = name.hasSuffix(suffix) ? String(name.dropLast(suffix.count)) : name
      guard !short.isEmpty, try !identities.all().accounts(named: SafeText(line: short), in: source).contains(account)
      else { continue }
      people.insert(short)
    }
    return people
  }
}
