internal import Dates
internal import Posts

/// Writes what is in lists, one entry at a time.
struct Entries {
  private let connection: Connection
  private let transaction: Transaction
  private let tallies: Tallies

  init(_ connection: Connection, _ transaction: Transaction, _ tallies: Tallies) {
    (self.connection, self.transaction, self.tallies) = (connection, transaction, tallies)
  }

  /// Why a post is in a list; nil where it is not.
  func reason(_ list: Int64, _ key: OrderKey) throws(StoreError) -> Reason? {
    try connection.first(EntryQuery.reason, list, key.createdAt, key.id) { Reason(rawValue: $0.integer(0)) }
  }

  /// Puts a post into a list that does not have it.
  func insert(_ key: OrderKey, _ place: Place) throws(StoreError) {
    try connection.run(EntryQuery.insert, place.list, key.createdAt, key.id, place.reason)
    transaction.noteChange()
    tallies.count(1, in: place.list)
    transaction.enter(place.name, key.id)
  }

  /// Changes why a post is in a list.
  func update(_ key: OrderKey, _ place: Place) throws(StoreError) {
    try connection.run(EntryQuery.update, place.list, key.createdAt, key.id, place.reason)
    transaction.noteChange()
  }

  /// Takes a post out of a list that has it.
  func remove(_ key: OrderKey, _ place: Place) throws(StoreError) {
    try connection.run(EntryQuery.delete, place.list, key.createdAt, key.id)
    transaction.noteChange()
    tallies.count(-1, in: place.list)
    transaction.leave(place.name, key)
  }

  /// The home lists and mentions, of all accounts, in which a post is. A look at each, but one statement.
  func ownPlaces(of key: OrderKey) throws(StoreError) -> [Place] {
    try connection.rows(EntryQuery.own, key.createdAt, key.id) { row in
      let account = AccountID(row.integer(2))
      let isHome = row.integer(1) == ListKind.home.rawValue
      return Place(
        list: row.integer(0), name: isHome ? .home(account) : .mentions(account), account: account, reason: [])
    }
  }

  /// The newest entries of a list.
  func newest(of list: Int64, limit: Int) throws(StoreError) -> [OrderKey] {
    try connection.rows(EntryQuery.newest, list, limit, read: OrderKey.init(row:))
  }
}
