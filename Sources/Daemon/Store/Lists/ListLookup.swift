internal import Posts

/// Caches the lists of accounts, and the lists that each author's posts go into, across the writer's transactions,
/// because every post needs them.
final class ListLookup {
  private let connection: Connection
  /// The lists that an author's posts go into because of the author, each once.
  private var places: [AuthorID: [Place]] = [:]
  private var placeCount = 0
  private var ownLists: [AccountID: OwnLists]?

  /// The maximum number of cached places; beyond it the cache is emptied.
  private static let placeLimit = 100_000

  init(_ connection: Connection) { self.connection = connection }

  /// Returns the own lists of every account.
  func own() throws(StoreError) -> [AccountID: OwnLists] {
    if let ownLists { return ownLists }
    var lists: [AccountID: OwnLists] = [:]
    for (list, account, kind) in try connection.rows(
      ListQuery.ownLists, read: { ($0.integer(0), AccountID($0.integer(1)), ListKind(rawValue: $0.integer(2))) })
    {
      switch kind {
      case .home: lists[account, default: OwnLists()].home = list
      case .mentions: lists[account, default: OwnLists()].mentions = list
      case .messages: lists[account, default: OwnLists()].messages = list
      case .direct, .made, nil: break
      }
    }
    ownLists = lists
    return lists
  }

  /// Returns the own lists of an account; nil if there is no such account.
  func own(of account: AccountID) throws(StoreError) -> OwnLists? { try own()[account] }

  /// Returns the home list of an account. Every account has one; if it is missing, the file is damaged.
  func home(of account: AccountID, for reason: Reason) throws(StoreError) -> Place {
    guard let home = try own(of: account)?.home else {
      throw StoreError(
        kind: .corrupt,
        message: "the store \(connection.path) is missing a list of account \(account.rawValue); restore a backup")
    }
    return Place(list: home, name: .home(account), account: account, reason: reason)
  }

  /// Returns the lists that an author's posts go into because of the author, each once.
  func places(of author: AuthorID) throws(StoreError) -> [Place] {
    if let known = places[author] { return known }
    var found: [Place] = []
    var positions: [Int64: Int] = [:]
    for place in try connection.rows(ListQuery.places, author, read: Place.init(row:)) {
      if let position = positions[place.list] {
        found[position].reason.formUnion(place.reason)
      } else {
        positions[place.list] = found.count
        found.append(place)
      }
    }
    placeCount += found.count + 1
    if placeCount > Self.placeLimit {
      places.removeAll()
      placeCount = found.count + 1
    }
    places[author] = found
    return found
  }

  /// Drops the cached places of an author.
  func forgetPlaces(of author: AuthorID) {
    if let known = places.removeValue(forKey: author) { placeCount -= known.count + 1 }
  }

  /// Drops all cached places.
  func forgetPlaces() {
    places.removeAll()
    placeCount = 0
  }

  /// Drops the cached lists of accounts.
  func forgetOwn() { ownLists = nil }
}

extension Place {
  /// Reads list, kind, account and reason from the first four columns.
  fileprivate init(row: Statement) {
    let (list, account) = (row.integer(0), AccountID(row.integer(2)))
    let isHome = row.integer(1) == ListKind.home.rawValue
    self.init(
      list: list, name: isHome ? .home(account) : .made(account, ListID(list)), account: account,
      reason: Reason(rawValue: row.integer(3)))
  }
}
