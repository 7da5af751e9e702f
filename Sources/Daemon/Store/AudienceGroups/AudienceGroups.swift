internal import Posts

/// Creates audience groups and changes their members.
final class AudienceGroups {
  private let connection: Connection
  private let transaction: Transaction
  private let lookup: AudienceGroupLookup
  private let authors: Authors
  private let lists: ListRows

  init(
    _ connection: Connection, _ transaction: Transaction, lookup: AudienceGroupLookup, authors: Authors, lists: ListRows
  ) {
    (self.connection, self.transaction) = (connection, transaction)
    (self.lookup, self.authors, self.lists) = (lookup, authors, lists)
  }

  /// Returns the members of an audience group.
  func members(of group: AudienceGroupID) throws(StoreError) -> Set<AccountID> { try lookup.members(of: group) }

  /// Returns the audience group of an account and its followers, created when it is first written for. The group for
  /// `writer` also contains the writer, a former follower who wrote for the others.
  func followers(of account: Account, with writer: AccountID? = nil) throws(StoreError) -> AudienceGroupID {
    let writer = writer ?? account.id
    if let known = try connection.number(AudienceGroupQuery.ofFollowers, account.id, writer) {
      return AudienceGroupID(known)
    }
    let group = try insert(account: account.id, writer, people: nil)
    var members: Set<AccountID> = [account.id, writer]
    let author = try authors.local(account.name).id
    for follower in try AccountReader(connection).followers(of: author) { members.insert(follower.id) }
    for member in members.sorted(by: { $0.rawValue < $1.rawValue }) { try join(member, group) }
    return group
  }

  /// Returns the audience group of a direct conversation, created with its list when these people first write to each
  /// other.
  func conversation(of people: Set<AccountID>) throws(StoreError) -> AudienceGroupID {
    let people = people.sorted { $0.rawValue < $1.rawValue }
    let key = people.map { String($0.rawValue) }.joined(separator: ",")
    return try conversation(key, of: people)
  }

  /// Returns the audience group of a direct conversation of an account's login with people at its server, by the names
  /// that they have there; created as ``conversation(of:)`` is. Its only member is the account.
  func conversation(
    of account: AccountID, with names: Set<String>, at server: OriginServer
  ) throws(StoreError) -> AudienceGroupID {
    let people = RemotePeople(server: server.number, login: server.login, names: names.sorted())
    return try conversation(people.key(for: account), of: [account])
  }

  private func conversation(_ key: String, of people: [AccountID]) throws(StoreError) -> AudienceGroupID {
    if let known = try connection.number(AudienceGroupQuery.ofPeople, key) { return AudienceGroupID(known) }
    let group = try insert(account: nil, nil, people: key)
    for account in people { try join(account, group) }
    _ = try lists.insert(.direct, group: group)
    lookup.forget(group)
    return group
  }

  /// Adds an account to an audience group.
  func join(_ account: AccountID, _ group: AudienceGroupID) throws(StoreError) {
    try connection.run(AudienceGroupQuery.insertMember, account, Audience.group(group))
    transaction.noteChange()
    transaction.join(account, group)
    lookup.forget(group)
  }

  /// Removes an account from an audience group.
  func leave(_ account: AccountID, _ group: AudienceGroupID) throws(StoreError) {
    try connection.run(AudienceGroupQuery.deleteMember, account, Audience.group(group))
    transaction.noteChange()
    transaction.withdraw(account, group)
    lookup.forget(group)
  }

  /// Adds a new account to the audience of everyone and to its own.
  func admit(_ account: AccountID) throws(StoreError) {
    for audience in [Audience.everyone, .only(account)] {
      try connection.run(AudienceGroupQuery.insertMember, account, audience)
    }
    transaction.noteChange()
  }

  /// Returns the groups of an account's followers that were ever written for: its own first, then those of former
  /// followers.
  func ofFollowers(_ account: AccountID) throws(StoreError) -> [(group: AudienceGroupID, writer: AccountID)] {
    try connection.rows(AudienceGroupQuery.everyOfFollowers, account) { row in
      (group: AudienceGroupID(row.integer(0)), writer: AccountID(row.integer(1)))
    }.sorted { $0.group.rawValue < $1.group.rawValue }
  }

  /// Returns the account whose followers form the group; nil for a direct conversation.
  func leader(of group: AudienceGroupID) throws(StoreError) -> Account? {
    let account = try connection.first(AudienceGroupQuery.leader, group) { $0.optionalInteger(0).map { AccountID($0) } }
    guard let account = account ?? nil else { return nil }
    return try AccountReader(connection).account(account)
  }

  private func insert(account: AccountID?, _ writer: AccountID?, people: String?) throws(StoreError) -> AudienceGroupID
  {
    let number = try connection.insert(AudienceGroupQuery.insert, account, writer, people)
    transaction.noteChange()
    return AudienceGroupID(number)
  }
}
