internal import Posts

/// The lists that accounts make.
extension PostStore {
  /// Makes an empty list.
  func makeList(_ account: AccountID, _ name: SafeText) throws -> Outcome {
    _ = try existing(account)
    try check(listName: name, account)
    guard try madeListCount(of: account) < StoreLimits.lists else {
      throw Refusal.tooMany("lists", limit: StoreLimits.lists)
    }
    let list = ListID(try insertList(.made, account: account, circle: nil, name: name))
    transaction!.changes.listsChanged.insert(account)
    try record(.list(list, name: name, authors: [], isThere: true), of: account)
    return .listMade(list)
  }

  /// Makes a list again that was deleted, under its number and with those of its authors that are still known.
  func makeListAgain(_ account: AccountID, _ list: ListID, _ name: SafeText, _ authors: [AuthorID]) throws {
    try check(listName: name, account)
    guard try madeListCount(of: account) < StoreLimits.lists else {
      throw Refusal.tooMany("lists", limit: StoreLimits.lists)
    }
    let statement = try connection.statement(.insertListAgain)
    defer { statement.reset() }
    statement.bind(1, list.rawValue)
    statement.bind(2, ListKind.made.rawValue)
    statement.bind(3, account.rawValue)
    statement.bind(4, text: name.utf8)
    _ = try statement.step()
    noteListChange(account)
    for author in authors where try isKnown(author, to: account) { _ = try addToList(account, list, author) }
  }

  /// Gives a list another name; the same one changes nothing.
  func renameList(_ account: AccountID, _ list: ListID, _ name: SafeText) throws -> Outcome {
    let known = try existing(list, of: account)
    guard known.name != name else { return .listChanged(list) }
    try check(listName: name, account)
    let statement = try connection.statement(.renameList)
    defer { statement.reset() }
    statement.bind(1, list.rawValue)
    statement.bind(2, text: name.utf8)
    _ = try statement.step()
    noteListChange(account)
    try record(.listName(list, before: known.name, after: name), of: account)
    return .listChanged(list)
  }

  /// Takes a list away, and what it has.
  func deleteList(_ account: AccountID, _ list: ListID) throws -> Outcome {
    let known = try existing(list, of: account)
    let authors = try authors(inList: list.rawValue).map(\.id)
    try record(.list(list, name: known.name, authors: authors, isThere: false), of: account)
    for query in [Query.deleteListEntries, .deleteListAuthors, .deleteTally, .deleteList] {
      let statement = try connection.statement(query)
      defer { statement.reset() }
      statement.bind(1, list.rawValue)
      _ = try statement.step()
    }
    transaction!.tallies[list.rawValue] = nil
    transaction!.changes.reload(.made(account, list))
    lookups.forgetPlaces()
    noteListChange(account)
    return .listDeleted(list)
  }

  /// Puts an author into a list; one who is in it changes nothing.
  func addToList(_ account: AccountID, _ list: ListID, _ author: AuthorID) throws -> Outcome {
    let known = try existing(list, of: account)
    try checkAuthor(author, for: account)
    guard try !isAuthor(author, of: list.rawValue) else { return .listChanged(list) }
    guard known.authorCount < StoreLimits.listAuthors else {
      throw Refusal.tooMany("authors of a list", limit: StoreLimits.listAuthors)
    }
    try change(.insertListAuthor, author, list.rawValue)
    try file(
      author, in: Place(list: list.rawValue, name: .made(account, list), account: account, reason: .author), .author)
    noteListChange(account)
    try record(.listAuthor(list, author, isIn: true), of: account)
    return .listChanged(list)
  }

  /// Takes an author out of a list; one who is not in it changes nothing.
  func removeFromList(_ account: AccountID, _ list: ListID, _ author: AuthorID) throws -> Outcome {
    _ = try existing(list, of: account)
    guard try isAuthor(author, of: list.rawValue) else { return .listChanged(list) }
    try change(.deleteListAuthor, author, list.rawValue)
    try unfile(
      author, from: Place(list: list.rawValue, name: .made(account, list), account: account, reason: .author), .author)
    noteListChange(account)
    try record(.listAuthor(list, author, isIn: false), of: account)
    return .listChanged(list)
  }

  /// Makes a list of any kind. Returns its number.
  func insertList(
    _ kind: ListKind, account: AccountID?, circle: CircleID?, name: SafeText = .empty
  ) throws(StoreError) -> Int64 {
    let statement = try connection.statement(.insertList)
    defer { statement.reset() }
    statement.bind(1, kind.rawValue)
    statement.bind(2, account?.rawValue)
    statement.bind(3, circle?.rawValue)
    statement.bind(4, text: name.utf8)
    _ = try statement.step()
    noteChange()
    switch kind {
    case .home, .mentions, .messages: lookups.ownLists = nil
    case .direct, .made: break
    }
    if let circle { lookups.forget(circle) }
    return statement.integer(0)
  }

  private func existing(_ list: ListID, of account: AccountID) throws -> MadeList {
    guard let known = try madeList(list, of: account) else { throw Refusal.noSuchList(list) }
    return known
  }

  private func check(listName name: SafeText, _ account: AccountID) throws {
    if name.isEmpty { throw Refusal.emptyName }
    guard name.count <= StoreLimits.listNameBytes else {
      throw Refusal.tooLong("the list's name", limit: StoreLimits.listNameBytes)
    }
    guard try !hasMadeList(account, named: name) else { throw Refusal.nameTaken(name.string) }
  }

  private func noteListChange(_ account: AccountID) {
    noteChange()
    transaction!.changes.listsChanged.insert(account)
  }
}

/// All posts of one author at once, where a list gets or loses that author. Costs what the author has written.
extension PostStore {
  /// Puts what an author wrote, as far as it may be seen, into a list for `reason`.
  func file(_ author: AuthorID, in place: Place, _ reason: Reason) throws(StoreError) {
    try move(.fileAuthor, author, place, reason)
  }

  /// Takes what an author wrote out of a list, unless it is there for another reason than `reason` too.
  func unfile(_ author: AuthorID, from place: Place, _ reason: Reason) throws(StoreError) {
    try move(.unfileAuthor, author, place, reason)
  }

  private func move(_ query: Query, _ author: AuthorID, _ place: Place, _ reason: Reason) throws(StoreError) {
    let before = try entryCount(author, place)
    let statement = try connection.statement(query)
    defer { statement.reset() }
    statement.bind(1, place.list)
    statement.bind(2, author.rawValue)
    statement.bind(3, reason.rawValue)
    if query == .fileAuthor { statement.bind(4, place.account!.rawValue) }
    _ = try statement.step()
    if connection.changes == 0 { return }
    if query == .unfileAuthor {
      let deletion = try connection.statement(.deleteUnreasoned)
      defer { deletion.reset() }
      deletion.bind(1, place.list)
      deletion.bind(2, author.rawValue)
      _ = try deletion.step()
    }
    noteChange()
    let difference = try entryCount(author, place) - before
    guard difference != 0 else { return }
    transaction!.tallies[place.list, default: 0] += difference
    transaction!.changes.reload(place.name)
  }

  private func entryCount(_ author: AuthorID, _ place: Place) throws(StoreError) -> Int {
    let statement = try connection.statement(.authorEntries)
    defer { statement.reset() }
    statement.bind(1, place.list)
    statement.bind(2, author.rawValue)
    return try statement.step() ? Int(statement.integer(0)) : 0
  }

  /// Adds an author to a list, or takes one out; entries are another matter.
  func change(_ query: Query, _ author: AuthorID, _ list: Int64) throws(StoreError) {
    let statement = try connection.statement(query)
    defer { statement.reset() }
    statement.bind(1, list)
    statement.bind(2, author.rawValue)
    _ = try statement.step()
    noteChange()
    lookups.forget(author)
  }
}
