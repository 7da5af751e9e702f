internal import Posts

/// Makes circles and changes who is in them.
struct Circles {
  private let connection: Connection
  private let transaction: Transaction
  private let lookup: CircleLookup
  private let authors: Authors
  private let lists: ListRows

  init(
    _ connection: Connection, _ transaction: Transaction, lookup: CircleLookup, authors: Authors, lists: ListRows
  ) {
    (self.connection, self.transaction) = (connection, transaction)
    (self.lookup, self.authors, self.lists) = (lookup, authors, lists)
  }

  /// Who is in a circle.
  func members(of circle: CircleID) throws(StoreError) -> Set<AccountID> { try lookup.members(of: circle) }

  /// The circle of an account and its followers, made when it is first written for; that of `keeper` has the keeper in
  /// it too, who wrote for them and follows the account no longer.
  func followers(of account: Account, with keeper: AccountID? = nil) throws(StoreError) -> CircleID {
    let keeper = keeper ?? account.id
    if let known = try connection.number(CircleQuery.ofFollowers, account.id, keeper) { return CircleID(known) }
    let circle = try insert(account: account.id, keeper, people: nil)
    var members: Set<AccountID> = [account.id, keeper]
    let author = try authors.local(account.name).id
    for follower in try AccountReader(connection).followers(of: author) { members.insert(follower.id) }
    for member in members.sorted(by: { $0.rawValue < $1.rawValue }) { try join(member, circle) }
    return circle
  }

  /// The circle of the people of a direct conversation, with its list; made when they first write to each other.
  func conversation(of people: Set<AccountID>) throws(StoreError) -> CircleID {
    let people = people.sorted { $0.rawValue < $1.rawValue }
    let key = people.map { String($0.rawValue) }.joined(separator: ",")
    if let known = try connection.number(CircleQuery.ofPeople, key) { return CircleID(known) }
    let circle = try insert(account: nil, nil, people: key)
    for account in people { try join(account, circle) }
    _ = try lists.insert(.direct, circle: circle)
    lookup.forget(circle)
    return circle
  }

  /// Adds an account to a circle.
  func join(_ account: AccountID, _ circle: CircleID) throws(StoreError) {
    try connection.run(CircleQuery.insertMember, account, Audience.circle(circle))
    transaction.noteChange()
    transaction.join(account, circle)
    lookup.forget(circle)
  }

  /// Takes an account out of a circle.
  func leave(_ account: AccountID, _ circle: CircleID) throws(StoreError) {
    try connection.run(CircleQuery.deleteMember, account, Audience.circle(circle))
    transaction.noteChange()
    transaction.withdraw(account, circle)
    lookup.forget(circle)
  }

  /// Notes that an account may see what is for everyone, and what is for it alone.
  func admit(_ account: AccountID) throws(StoreError) {
    for audience in [Audience.everyone, .only(account)] {
      try connection.run(CircleQuery.insertMember, account, audience)
    }
    transaction.noteChange()
  }

  /// The circles of an account's followers, if they were ever written for: its own first, then those of keepers.
  func ofFollowers(_ account: AccountID) throws(StoreError) -> [(circle: CircleID, keeper: AccountID)] {
    try connection.rows(CircleQuery.everyOfFollowers, account) { row in
      (circle: CircleID(row.integer(0)), keeper: AccountID(row.integer(1)))
    }.sorted { $0.circle.rawValue < $1.circle.rawValue }
  }

  /// The account whose followers a circle is of; nil for that of a direct conversation.
  func leader(of circle: CircleID) throws(StoreError) -> Account? {
    let account = try connection.first(CircleQuery.leader, circle) { $0.optionalInteger(0).map { AccountID($0) } }
    guard let account = account ?? nil else { return nil }
    return try AccountReader(connection).account(account)
  }

  private func insert(account: AccountID?, _ keeper: AccountID?, people: String?) throws(StoreError) -> CircleID {
    let number = try connection.insert(CircleQuery.insert, account, keeper, people)
    transaction.noteChange()
    return CircleID(number)
  }
}
