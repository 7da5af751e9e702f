internal import Posts

/// Circles: the sets of accounts that posts are written for.
extension PostStore {
  /// The circle of an account and its followers, made when it is first written for.
  func followers(of account: Account) throws(StoreError) -> CircleID {
    if let known = try followerCircle(of: account.id) { return known }
    let circle = try insertCircle(account: account.id, people: nil)
    var members: Set<AccountID> = [account.id]
    for follower in try followers(of: try localAuthor(account.name).id) { members.insert(follower.id) }
    for member in members.sorted(by: { $0.rawValue < $1.rawValue }) { try join(member, circle) }
    return circle
  }

  /// The circle of the people of a direct conversation, with its list; made when they first write to each other.
  func conversation(of people: Set<AccountID>) throws(StoreError) -> CircleID {
    let people = people.sorted { $0.rawValue < $1.rawValue }
    let key = people.map { String($0.rawValue) }.joined(separator: ",")
    if let known = try circle(of: key) { return known }
    let circle = try insertCircle(account: nil, people: key)
    for account in people { try join(account, circle) }
    _ = try insertList(.direct, account: nil, circle: circle)
    return circle
  }

  /// Adds an account to a circle.
  func join(_ account: AccountID, _ circle: CircleID) throws(StoreError) {
    try write(.insertMember, account, .circle(circle))
    transaction!.circles.insert(circle)
    transaction!.changes.join(account, circle)
    lookups.forget(circle)
  }

  /// Takes an account out of a circle.
  func leave(_ account: AccountID, _ circle: CircleID) throws(StoreError) {
    try write(.deleteMember, account, .circle(circle))
    transaction!.circles.insert(circle)
    transaction!.changes.withdraw(account, circle)
    lookups.forget(circle)
  }

  /// Notes that an account may see what is for everyone, and what is for it alone.
  func admit(_ account: AccountID) throws(StoreError) {
    try write(.insertMember, account, .everyone)
    try write(.insertMember, account, .only(account))
  }

  /// The posts that are for a circle, as lists see them.
  func listed(for circle: CircleID) throws(StoreError) -> [ListedPost] {
    let statement = try connection.statement(.listedForAudience)
    defer { statement.reset() }
    statement.bind(1, Audience.circle(circle).column)
    return try listed(statement)
  }

  /// The circle of an account's followers, if it was ever written for.
  func followerCircle(of account: AccountID) throws(StoreError) -> CircleID? {
    let statement = try connection.statement(.followerCircle)
    defer { statement.reset() }
    statement.bind(1, account.rawValue)
    return try statement.step() ? CircleID(statement.integer(0)) : nil
  }

  private func circle(of people: String) throws(StoreError) -> CircleID? {
    let statement = try connection.statement(.conversationCircle)
    defer { statement.reset() }
    statement.bind(1, text: people)
    return try statement.step() ? CircleID(statement.integer(0)) : nil
  }

  private func insertCircle(account: AccountID?, people: String?) throws(StoreError) -> CircleID {
    let statement = try connection.statement(.insertCircle)
    defer { statement.reset() }
    statement.bind(1, account?.rawValue)
    statement.bind(2, text: people)
    _ = try statement.step()
    noteChange()
    return CircleID(statement.integer(0))
  }

  private func write(_ query: Query, _ account: AccountID, _ audience: Audience) throws(StoreError) {
    let statement = try connection.statement(query)
    defer { statement.reset() }
    statement.bind(1, account.rawValue)
    statement.bind(2, audience.column)
    _ = try statement.step()
    noteChange()
  }
}
