public import Posts

extension StoreReader {
  /// Who is in each of these circles.
  public func members(of circles: some Sequence<CircleID>) throws(StoreError) -> Members {
    let statement = try connection.statement(.members)
    var members: Members = [:]
    for circle in circles {
      defer { statement.reset() }
      statement.bind(1, Audience.circle(circle).number)
      var accounts: Set<AccountID> = []
      while try statement.step() { accounts.insert(AccountID(statement.integer(0))) }
      members[circle] = accounts
    }
    return members
  }

  /// Who is in the circles that the posts are for, for those who are handed the posts.
  public func members(of posts: some Sequence<StoredPost>) throws(StoreError) -> Members {
    var circles: Set<CircleID> = []
    for post in posts { if case .circle(let circle) = post.audience { circles.insert(circle) } }
    return try members(of: circles)
  }

  /// The accounts of a direct conversation, in the order of their numbers; nil where there is none, or `account` is not
  /// in it.
  public func people(of circle: CircleID, for account: AccountID) throws(StoreError) -> [Account]? {
    guard try list(of: circle) != nil, let people = try members(of: [circle])[circle], people.contains(account) else {
      return nil
    }
    var accounts: [Account] = []
    for id in people.sorted(by: { $0.rawValue < $1.rawValue }) {
      if let account = try self.account(id) { accounts.append(account) }
    }
    return accounts
  }

  /// The list of a direct conversation, by the column `lists.id`; nil for the circle of an account's followers.
  func list(of circle: CircleID) throws(StoreError) -> Int64? {
    let statement = try connection.statement(.listOfCircle)
    defer { statement.reset() }
    statement.bind(1, circle.rawValue)
    return try statement.step() ? statement.integer(0) : nil
  }
}
