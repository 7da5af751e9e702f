internal import Dates
internal import Posts

/// Writes the entries of lists, one at a time.
final class Entries {
  private let connection: Connection
  private let transaction: Transaction
  private let tallies: Tallies

  init(_ connection: Connection, _ transaction: Transaction, _ tallies: Tallies) {
    (self.connection, self.transaction, self.tallies) = (connection, transaction, tallies)
  }

  /// Returns the reason for which a post is in a list; nil if it is not.
  func reason(_ list: Int64, _ key: OrderKey) throws(StoreError) -> Reason? {
    try connection.first(EntryQuery.reason, list, key.createdAt, key.id) { Reason(rawValue: $0.integer(0)) }
  }

  /// Adds a post to a list that does not contain it.
  func insert(_ key: OrderKey, _ place: Place) throws(StoreError) {
    try connection.run(EntryQuery.insert, place.list, key.createdAt, key.id, place.reason)
    transaction.noteChange()
    tallies.count(1, in: place.list)
    transaction.enter(place.name, key.id)
  }

  /// Changes the reason for which a post is in a list.
  func update(_ key: OrderKey, _ place: Place) throws(StoreError) {
    try connection.run(EntryQuery.update, place.list, key.createdAt, key.id, place.reason)
    transaction.noteChange()
  }

  /// Removes a post from a list that contains it.
  func remove(_ key: OrderKey, _ place: Place) throws(StoreError) {
    try connection.run(EntryQuery.delete, place.list, key.createdAt, key.id)
    transaction.noteChange()
    tallies.count(-1, in: place.list)
    transaction.leave(place.name, key)
  }

  /// Returns the home and mention lists, of all accounts, that contain a post. Looks into each list, but in one
  /// statement.
  func ownPlaces(of key: OrderKey) throws(StoreError) -> [Place] {
    try connection.rows(EntryQuery.own, key.createdAt, key.id) { row in
      let account = AccountID(row.integer(2))
      let isHome = row.integer(1) == ListKind.home.rawValue
      return Place(
        list: row.integer(0), name: isHome ? .home(account) : .mentions(account), account: account, reason: [])
    }
  }

  /// Returns the newest entries of a list by authors that an account has not blocked.
  func newest(of list: Int64, for account: AccountID, limit: Int) throws(StoreError) -> [OrderKey] {
    try connection.rows(EntryQuery.newest, list, account, limit, read: OrderKey.init(row:))
  }

  /// Returns the audience groups of an account for which an author has written, ordered by ID. O(posts of the author).
  func groups(of author: AuthorID, with account: AccountID) throws(StoreError) -> [AudienceGroupID] {
    let audiences = try connection.rows(EntryQuery.groupsOfAuthor, author, account) { $0.integer(0) }
    return Set(audiences).sorted(by: >).map { AudienceGroupID(-1 - $0) }
  }
}
