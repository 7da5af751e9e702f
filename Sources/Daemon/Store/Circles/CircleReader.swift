internal import Posts

/// Reads circles: the sets of accounts that posts are written for.
struct CircleReader {
  private let connection: Connection

  init(_ connection: Connection) { self.connection = connection }

  /// Who is in each of these circles.
  func members(of circles: some Sequence<CircleID>) throws(StoreError) -> Members {
    var members: Members = [:]
    for circle in circles { members[circle] = try self.members(of: circle) }
    return members
  }

  /// Who is in a circle.
  func members(of circle: CircleID) throws(StoreError) -> Set<AccountID> {
    Set(try connection.rows(CircleQuery.members, Audience.circle(circle)) { AccountID($0.integer(0)) })
  }

  /// Who is in the circles that the posts are for, for those who are handed the posts.
  func members(of posts: some Sequence<StoredPost>) throws(StoreError) -> Members {
    var circles: Set<CircleID> = []
    for post in posts { if case .circle(let circle) = post.audience { circles.insert(circle) } }
    return try members(of: circles)
  }

  /// The list of a direct conversation, by the column `lists.id`; nil for the circle of an account's followers.
  func conversation(of circle: CircleID) throws(StoreError) -> Int64? {
    try connection.number(ListQuery.ofCircle, circle)
  }

  /// See ``StoreReader/people(of:for:)``.
  func people(of circle: CircleID, for account: AccountID) throws(StoreError) -> [Account]? {
    guard try conversation(of: circle) != nil else { return nil }
    let people = try members(of: circle)
    guard people.contains(account) else { return nil }
    let reader = AccountReader(connection)
    var accounts: [Account] = []
    for id in people.sorted(by: { $0.rawValue < $1.rawValue }) {
      if let account = try reader.account(id) { accounts.append(account) }
    }
    return accounts
  }

  /// The audiences that an account is in.
  func audiences(of account: AccountID) throws(StoreError) -> [Audience] {
    try connection.rows(CircleQuery.audiences, account) { Audience(number: $0.integer(0)) }
  }

  /// Whether an account may see what is for an audience.
  func isMember(_ account: AccountID, of audience: Audience) throws(StoreError) -> Bool {
    try connection.hasRow(CircleQuery.isMember, account, audience)
  }
}
