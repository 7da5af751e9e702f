internal import Posts

/// Decides to which direct conversation of a login a direct post at a server belongs: that of those whom it is for, and
/// of its author.
final class RemoteConversations {
  private let groups: AudienceGroups
  private let reader: AudienceGroupReader
  private let identities: IdentityLookup
  private let servers: Servers

  init(_ connection: Connection, groups: AudienceGroups, identities: IdentityLookup) {
    (self.groups, self.identities) = (groups, identities)
    reader = AudienceGroupReader(connection)
    servers = Servers(connection)
  }

  /// Returns the audience of a direct post that a login of an account has brought from a server: the conversation, or
  /// the account alone if more than ``StoreLimits/people`` are in it.
  func audience(
    of post: ImportedPost, at source: Int64, from server: OriginServer, for account: AccountID
  ) throws(StoreError) -> Audience {
    let names = (post.recipients ?? post.body.mentions) + [post.author.handle]
    let people = try people(names.map(\.string), at: source, server, for: account)
    guard people.count <= StoreLimits.people else { return .only(account) }
    return .group(try groups.conversation(of: account, with: people, at: server))
  }

  /// Returns the audience of a direct post that an account writes at a source by its login at `server`, or its first one
  /// (0). Refuses one that names nobody else, or more than ``StoreLimits/people``.
  func audience(
    naming names: [String], by account: AccountID, at source: Int64, replyingTo server: Int64
  ) throws -> Audience {
    guard let login = try servers.login(of: account, at: source, for: server) else { throw Refusal.namesNobody }
    let server = try servers.server(of: login, at: source)
    let people = try people(names, at: source, server, for: account)
    if people.isEmpty { throw Refusal.namesNobody }
    guard people.count <= StoreLimits.people else {
      throw Refusal.tooMany("people in a conversation", limit: StoreLimits.people)
    }
    return .group(try groups.conversation(of: account, with: people, at: server))
  }

  /// Returns the people of a direct conversation at a server elsewhere; nil for another audience.
  func people(of audience: Audience) throws(StoreError) -> RemotePeople? {
    try reader.remotePeople(of: audience)
  }

  /// Returns the people of a conversation whom `names` lack, in order. Refuses a name of anyone outside of it: the server
  /// would send the text to them.
  func absent(
    from names: [String], of people: RemotePeople, by account: AccountID, at source: Int64
  ) throws -> [String] {
    guard let server = try servers.server(of: people) else { return people.names }
    var absent = people.names
    for name in names {
      guard let person = try self.people([name], at: source, server, for: account).first else { continue }
      guard people.names.contains(person) else { throw Refusal.answersFewer(name) }
      absent.removeAll { $0 == person }
    }
    return absent
  }

  /// True if a stored post stays in a conversation although another login has brought it too: the first one is still
  /// signed in.
  func keeps(_ stored: Audience, insteadOf audience: Audience, of account: AccountID, at source: Int64)
    throws(StoreError) -> Bool
  {
    guard stored != audience, let former = try people(of: stored), let people = try people(of: audience),
      former.login != people.login
    else { return false }
    return try servers.logins(of: account, at: source).contains(former.login)
  }

  /// Returns the people whom a post names beside the login, as the server calls them.
  private func people(
    _ names: [String], at source: Int64, _ server: OriginServer, for account: AccountID
  ) throws(StoreError) -> Set<String> {
    var people: Set<String> = []
    let suffix = "@" + server.host
    for name in names.map({ RemotePeople.storable($0.lowercased()) }) {
      let short = name.hasSuffix(suffix) ? String(name.dropLast(suffix.count)) : name
      if short.isEmpty { continue }
      if try !isOwn(short, source, server, account) { people.insert(short) }
    }
    return people
  }

  /// True if a server calls the login so. One without a name there (`fake`) has the names that the account has claimed.
  private func isOwn(
    _ name: String, _ source: Int64, _ server: OriginServer, _ account: AccountID
  ) throws(StoreError) -> Bool {
    if let at = server.login.firstIndex(of: "@") { return server.login[..<at].lowercased() == name }
    return try identities.all().accounts(named: SafeText(line: name), in: source).contains(account)
  }
}
