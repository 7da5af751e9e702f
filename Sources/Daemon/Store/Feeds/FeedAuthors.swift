internal import Posts

/// The feeds by author, and which of them are followed; cached across the writer's transactions. What a feed posts is
/// in a timeline only if it is followed.
final class FeedAuthors {
  private let connection: Connection
  private var numbers: [AuthorID: Int64]?
  /// The feeds that somebody follows, with the accounts that added them first, and how many each has added.
  private var followed: [Int64: AccountID]?
  private var counts: [AccountID: Int] = [:]

  init(_ connection: Connection) { self.connection = connection }

  /// Returns true if an author is a feed.
  func contains(_ author: AuthorID) throws(StoreError) -> Bool { try number(of: author) != nil }

  /// Returns the number of the feed that an author is; nil if it is none.
  func number(of author: AuthorID) throws(StoreError) -> Int64? {
    if let numbers { return numbers[author] }
    let known = Dictionary(
      uniqueKeysWithValues: try connection.rows(FeedQuery.authors) { (AuthorID($0.integer(0)), $0.integer(1)) })
    numbers = known
    return known[author]
  }

  /// Records a new feed.
  func insert(_ author: AuthorID, number: Int64) throws(StoreError) {
    _ = try self.number(of: author)
    numbers?[author] = number
  }

  /// Refuses one more feed that is followed, first added by an account.
  func checkRoom(addedBy account: AccountID) throws {
    guard try allFollowed().count < StoreLimits.feeds else { throw Refusal.tooMany("feeds", limit: StoreLimits.feeds) }
    guard counts[account, default: 0] < StoreLimits.accountFeeds else {
      throw Refusal.tooMany("feeds that you have added", limit: StoreLimits.accountFeeds)
    }
  }

  /// Refuses a follow of a feed that nobody follows if there is no room for one more; other authors have room.
  func checkRoom(toFollow author: AuthorID) throws {
    guard let number = try number(of: author), try allFollowed()[number] == nil,
      let account = try connection.number(FeedQuery.adder, number)
    else { return }
    try checkRoom(addedBy: AccountID(account))
  }

  /// Records that an account has followed or unfollowed a feed.
  func followersChanged(of feed: Int64) throws(StoreError) {
    guard followed != nil else { return }
    let account = try connection.number(FeedQuery.adderIfFollowed, feed).map { AccountID($0) }
    if let former = followed?[feed] { counts[former, default: 0] -= 1 }
    if let account { counts[account, default: 0] += 1 }
    followed?[feed] = account
  }

  private func allFollowed() throws(StoreError) -> [Int64: AccountID] {
    if let followed { return followed }
    let found = Dictionary(
      uniqueKeysWithValues: try connection.rows(FeedQuery.adders) { ($0.integer(0), AccountID($0.integer(1))) })
    followed = found
    counts = found.values.reduce(into: [:]) { $0[$1, default: 0] += 1 }
    return found
  }
}
