internal import Posts

/// Reads audience groups: the sets of accounts that posts are written for.
struct AudienceGroupReader {
  private let connection: Connection

  init(_ connection: Connection) { self.connection = connection }

  /// Returns the members of each of these groups.
  func members(of groups: some Sequence<AudienceGroupID>) throws(StoreError) -> Members {
    var members: Members = [:]
    for group in groups { members[group] = try self.members(of: group) }
    return members
  }

  /// Returns the members of an audience group.
  func members(of group: AudienceGroupID) throws(StoreError) -> Set<AccountID> {
    Set(try connection.rows(AudienceGroupQuery.members, Audience.group(group)) { AccountID($0.integer(0)) })
  }

  /// Returns the members of the audience groups of `posts`, for delivery along with the posts.
  func members(of posts: some Sequence<StoredPost>) throws(StoreError) -> Members {
    var groups: Set<AudienceGroupID> = []
    for post in posts { if case .group(let group) = post.audience { groups.insert(group) } }
    return try members(of: groups)
  }

  /// Returns the list of a direct conversation, by the column `lists.id`; nil for a group of followers.
  func conversation(of group: AudienceGroupID) throws(StoreError) -> Int64? {
    try connection.number(ListQuery.ofGroup, group)
  }

  /// See ``StoreReader/people(of:for:)``.
  func people(of group: AudienceGroupID, for account: AccountID) throws(StoreError) -> [Account]? {
    guard try conversation(of: group) != nil else { return nil }
    let people = try members(of: group)
    guard people.contains(account) else { return nil }
    let reader = AccountReader(connection)
    var accounts: [Account] = []
    for id in people.sorted(by: { $0.rawValue < $1.rawValue }) {
      if let account = try reader.account(id) { accounts.append(account) }
    }
    return accounts
  }

  /// Returns the authors with whom an account is in a direct conversation at a server elsewhere, and the names of those
  /// of whom nothing has come; none for a conversation of accounts.
  func remoteAuthors(of group: AudienceGroupID) throws(StoreError) -> (known: [Author], unknown: [SafeText]) {
    guard let people = try remotePeople(of: group),
      let source = try connection.number(UpstreamQuery.sourceOfServer, people.server),
      let server = try Servers(connection).server(of: people)
    else { return ([], []) }
    let reader = AuthorReader(connection)
    var known: [Author] = []
    var unknown: [SafeText] = []
    for name in people.names {
      let authors = try reader.authors(called: name, by: server.host, at: source)
      known += authors
      if authors.isEmpty { unknown.append(SafeText(line: name)) }
    }
    return (known, unknown)
  }

  /// Returns the people of a direct conversation at a server elsewhere; nil for another group.
  func remotePeople(of group: AudienceGroupID) throws(StoreError) -> RemotePeople? {
    try connection.first(AudienceGroupQuery.people, group) { $0.text(0) }.flatMap { RemotePeople(key: $0) }
  }

  /// Returns the people of a direct conversation at a server elsewhere; nil for another audience.
  func remotePeople(of audience: Audience) throws(StoreError) -> RemotePeople? {
    guard case .group(let group) = audience else { return nil }
    return try remotePeople(of: group)
  }

  /// Returns the audiences that an account belongs to.
  func audiences(of account: AccountID) throws(StoreError) -> [Audience] {
    try connection.rows(AudienceGroupQuery.audiences, account) { Audience(number: $0.integer(0)) }
  }

  /// Returns true if an account belongs to an audience.
  func isMember(_ account: AccountID, of audience: Audience) throws(StoreError) -> Bool {
    try connection.hasRow(AudienceGroupQuery.isMember, account, audience)
  }
}
