internal import Posts

/// What ``Lookups`` remembers, looked up where it does not.
extension PostStore {
  /// Every account's own lists.
  func ownLists() throws(StoreError) -> [AccountID: OwnLists] {
    if let known = lookups.ownLists { return known }
    var lists: [AccountID: OwnLists] = [:]
    let statement = try connection.statement(.ownLists)
    defer { statement.reset() }
    while try statement.step() {
      let account = AccountID(statement.integer(1))
      switch ListKind(rawValue: statement.integer(2)) {
      case .home: lists[account, default: OwnLists()].home = statement.integer(0)
      case .mentions: lists[account, default: OwnLists()].mentions = statement.integer(0)
      case .messages: lists[account, default: OwnLists()].messages = statement.integer(0)
      default: break
      }
    }
    lookups.ownLists = lists
    return lists
  }

  /// Who is who.
  func identities() throws(StoreError) -> Identities {
    if let known = lookups.identities { return known }
    var identities = Identities()
    let statement = try connection.statement(.allIdentities)
    defer { statement.reset() }
    statement.bind(1, text: PostStore.localSource)
    while try statement.step() { identities.add(row: statement) }
    lookups.identities = identities
    return identities
  }

  /// The lists into which an author's posts go for the author's sake, each once.
  func places(of author: AuthorID) throws(StoreError) -> [Place] {
    if let known = lookups.places[author] { return known }
    var places: [Place] = []
    var positions: [Int64: Int] = [:]
    let statement = try connection.statement(.placesOfAuthor)
    defer { statement.reset() }
    statement.bind(1, author.rawValue)
    while try statement.step() {
      let list = statement.integer(0)
      let account = AccountID(statement.integer(2))
      let reason = Reason(rawValue: statement.integer(3))
      if let position = positions[list] {
        places[position].reason.formUnion(reason)
        continue
      }
      let isHome = statement.integer(1) == ListKind.home.rawValue
      positions[list] = places.count
      places.append(
        Place(
          list: list, name: isHome ? .home(account) : .made(account, ListID(list)), account: account, reason: reason))
    }
    lookups.remember(places, of: author)
    return places
  }

  /// Who is in a circle.
  func members(of circle: CircleID) throws(StoreError) -> Set<AccountID> {
    if let known = lookups.members[circle] { return known }
    return try remember(circle)
  }

  /// The list of a direct conversation; nil for the circle of an account's followers.
  func place(of circle: CircleID) throws(StoreError) -> Place? {
    if lookups.conversations[circle] == nil { _ = try remember(circle) }
    return lookups.conversations[circle]!.map { Place(list: $0, name: .direct(circle), account: nil, reason: []) }
  }

  private func remember(_ circle: CircleID) throws(StoreError) -> Set<AccountID> {
    let members = try members(of: [circle])[circle] ?? []
    lookups.remember(circle, members: members, list: try list(of: circle))
    return members
  }

  /// An audience that can be asked about accounts.
  func readers(of audience: Audience) throws(StoreError) -> Readers {
    guard case .circle(let circle) = audience else { return Readers(audience: audience) }
    return Readers(audience: audience, members: [circle: try members(of: circle)])
  }

  /// Whether an account may see what is for `audience`.
  func mayBeSeen(_ audience: Audience, by account: AccountID) throws(StoreError) -> Bool {
    try readers(of: audience).includes(account)
  }
}

/// An audience, with the members of the circle that it may be.
struct Readers {
  let audience: Audience
  var members: Members = [:]

  /// Whether `account` is one of them.
  func includes(_ account: AccountID) -> Bool { audience.includes(account, members) }
}
