internal import Posts

/// The lists of accounts, and those that an author's posts go into, remembered by the writer from one transaction to
/// the next: asked for each post.
final class ListLookup {
  private let connection: Connection
  /// The lists into which an author's posts go for the author's sake, each once.
  private var places: [AuthorID: [Place]] = [:]
  private var placeCount = 0
  private var ownLists: [AccountID: OwnLists]?

  /// Places that are remembered: with more authors than fit, all are forgotten and met again.
  private static let placeLimit = 100_000

  init(_ connection: Connection) { self.connection = connection }

  /// Every account's own lists.
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

  /// An account's own lists; nil where there is no such account.
  func own(of account: AccountID) throws(StoreError) -> OwnLists? { try own()[account] }

  /// The home list of an account, which every account has: without it the file is damaged.
  func home(of account: AccountID, for reason: Reason) throws(StoreError) -> Place {
    guard let home = try own(of: account)?.home else {
      throw StoreError(
        kind: .corrupt,
        message: "the store \(connection.path) has lost a list of account \(account.rawValue): restore a backup")
    }
    return Place(list: home, name: .home(account), account: account, reason: reason)
  }

  /// The lists into which an author's posts go for the author's sake, each once.
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

  /// Has the places of an author's posts read again.
  func forgetPlaces(of author: AuthorID) {
    if let known = places.removeValue(forKey: author) { placeCount -= known.count + 1 }
  }

  /// Has all places read again.
  func forgetPlaces() {
    places.removeAll()
    placeCount = 0
  }

  /// Has the lists of accounts read again.
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
