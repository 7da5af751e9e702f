internal import Posts

/// Circles: the sets of accounts that posts are written for.
extension PostStore {
  /// The circle of an account and its followers, made when it is first written for; that of `keeper` has the keeper in
  /// it too, who wrote for them and follows the account no longer.
  func followers(of account: Account, with keeper: AccountID? = nil) throws(StoreError) -> CircleID {
    let keeper = keeper ?? account.id
    if let known = try followerCircle(of: account.id, with: keeper) { return known }
    let circle = try insertCircle(account: account.id, keeper, people: nil)
    var members: Set<AccountID> = [account.id, keeper]
    for follower in try followers(of: try localAuthor(account.name).id) { members.insert(follower.id) }
    for member in members.sorted(by: { $0.rawValue < $1.rawValue }) { try join(member, circle) }
    return circle
  }

  /// The circle of the people of a direct conversation, with its list; made when they first write to each other.
  func conversation(of people: Set<AccountID>) throws(StoreError) -> CircleID {
    let people = people.sorted { $0.rawValue < $1.rawValue }
    let key = people.map { String($0.rawValue) }.joined(separator: ",")
    if let known = try circle(of: key) { return known }
    let circle = try insertCircle(account: nil, nil, people: key)
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
    statement.bind(1, Audience.circle(circle).number)
    return try listed(statement)
  }

  /// The circles of an account's followers, if they were ever written for: its own first, then those of keepers.
  func followerCircles(of account: AccountID) throws(StoreError) -> [(circle: CircleID, keeper: AccountID)] {
    let statement = try connection.statement(.followerCircles)
    defer { statement.reset() }
    statement.bind(1, account.rawValue)
    var circles: [(circle: CircleID, keeper: AccountID)] = []
    while try statement.step() { circles.append((CircleID(statement.integer(0)), AccountID(statement.integer(1)))) }
    return circles.sorted { $0.circle.rawValue < $1.circle.rawValue }
  }

  /// The account whose followers a circle is of; nil for that of a direct conversation.
  func leader(of circle: CircleID) throws -> Account? {
    let statement = try connection.statement(.leader)
    defer { statement.reset() }
    statement.bind(1, circle.rawValue)
    guard try statement.step(), let id = statement.optionalInteger(0) else { return nil }
    return try account(AccountID(id))
  }

  /// What an account wrote for the followers of another, before it leaves their circle, stays its own to see: it goes
  /// to the circle that has its writer in it whatever comes. A circle and a pass over the posts of the old one, only
  /// for those who answered there.
  func keepOwn(of keeper: AccountID, from circle: CircleID, of leader: Account) throws(StoreError) {
    let own = try listed(for: circle).filter { $0.owner == keeper }
    guard let author = own.first?.author else { return }
    let kept = try followers(of: leader, with: keeper)
    for post in own { try change(post, to: .circle(kept)) }
    // Whoever holds lists in memory takes what is for the old circle out of all of the account's.
    for place in try places(of: author) where place.account == keeper { transaction!.changes.reload(place.name) }
  }

  private func followerCircle(of account: AccountID, with keeper: AccountID) throws(StoreError) -> CircleID? {
    let statement = try connection.statement(.followerCircle)
    defer { statement.reset() }
    statement.bind(1, account.rawValue)
    statement.bind(2, keeper.rawValue)
    return try statement.step() ? CircleID(statement.integer(0)) : nil
  }

  private func circle(of people: String) throws(StoreError) -> CircleID? {
    let statement = try connection.statement(.conversationCircle)
    defer { statement.reset() }
    statement.bind(1, text: people)
    return try statement.step() ? CircleID(statement.integer(0)) : nil
  }

  private func insertCircle(account: AccountID?, _ keeper: AccountID?, people: String?) throws(StoreError) -> CircleID {
    let statement = try connection.statement(.insertCircle)
    defer { statement.reset() }
    statement.bind(1, account?.rawValue)
    statement.bind(2, keeper?.rawValue)
    statement.bind(3, text: people)
    _ = try statement.step()
    noteChange()
    return CircleID(statement.integer(0))
  }

  private func write(_ query: Query, _ account: AccountID, _ audience: Audience) throws(StoreError) {
    let statement = try connection.statement(query)
    defer { statement.reset() }
    statement.bind(1, account.rawValue)
    statement.bind(2, audience.number)
    _ = try statement.step()
    noteChange()
  }
}
