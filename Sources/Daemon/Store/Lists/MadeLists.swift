internal import Posts

/// Creates, changes and deletes the lists that accounts make.
final class MadeLists {
  private let connection: Connection
  private let transaction: Transaction
  private let reader: ListReader
  private let lookup: ListLookup
  private let rows: ListRows
  private let tallies: Tallies
  private let filing: AuthorFiling
  private let undo: UndoLog

  init(
    _ connection: Connection, _ transaction: Transaction, lookup: ListLookup, rows: ListRows, tallies: Tallies,
    filing: AuthorFiling, undo: UndoLog
  ) {
    (self.connection, self.transaction) = (connection, transaction)
    reader = ListReader(connection)
    (self.lookup, self.rows, self.tallies, self.filing, self.undo) = (lookup, rows, tallies, filing, undo)
  }

  /// Creates an empty list.
  func make(_ account: AccountID, _ name: SafeText) throws -> ListID {
    _ = try AccountReader(connection).existing(account)
    try checkNew(name, account)
    let list = ListID(try rows.insert(.made, account: account, name: name))
    transaction.noteLists(of: account)
    try undo.record(.list(list, name: name, authors: [], isThere: true), of: account)
    return list
  }

  /// Restores a deleted list under its ID, with those of its authors that the account may still know of.
  func makeAgain(_ account: AccountID, _ list: ListID, _ name: SafeText, _ authors: [AuthorID]) throws {
    try checkNew(name, account)
    try connection.run(MadeListQuery.insertAgain, list, ListKind.made, account, name)
    noteChange(account)
    for author in authors where try AuthorReader(connection).isKnown(author, to: account) {
      try add(account, list, author)
    }
  }

  /// Renames a list; does nothing if the name is the same.
  func rename(_ account: AccountID, _ list: ListID, _ name: SafeText) throws {
    let known = try existing(list, of: account)
    guard known.name != name else { return }
    try check(name, account)
    try connection.run(MadeListQuery.rename, list, name)
    noteChange(account)
    try undo.record(.listName(list, before: known.name, after: name), of: account)
  }

  /// Deletes a list with its entries.
  func delete(_ account: AccountID, _ list: ListID) throws {
    let known = try existing(list, of: account)
    let authors = try reader.authors(of: list.rawValue).map(\.id)
    try undo.record(.list(list, name: known.name, authors: authors, isThere: false), of: account)
    for query in [EntryQuery.deleteAll, MadeListQuery.deleteAuthors, TallyQuery.delete, MadeListQuery.delete] {
      try connection.run(query, list)
    }
    tallies.forget(list.rawValue)
    transaction.reload(.made(account, list))
    lookup.forgetPlaces()
    noteChange(account)
  }

  /// Adds an author to a list; does nothing if the author is in it.
  func add(_ account: AccountID, _ list: ListID, _ author: AuthorID) throws {
    let known = try existing(list, of: account)
    try AuthorReader(connection).check(author, for: account)
    guard try !reader.isAuthor(author, of: list.rawValue) else { return }
    guard known.authorCount < StoreLimits.listAuthors else {
      throw Refusal.tooMany("authors in the list", limit: StoreLimits.listAuthors)
    }
    try rows.add(author, to: list.rawValue)
    try filing.file(author, in: place(of: list, account))
    noteChange(account)
    try undo.record(.listAuthor(list, author, isIn: true), of: account)
  }

  /// Removes an author from a list; does nothing if the author is not in it.
  func remove(_ account: AccountID, _ list: ListID, _ author: AuthorID) throws {
    _ = try existing(list, of: account)
    guard try reader.isAuthor(author, of: list.rawValue) else { return }
    try rows.remove(author, from: list.rawValue)
    try filing.unfile(author, from: place(of: list, account))
    noteChange(account)
    try undo.record(.listAuthor(list, author, isIn: false), of: account)
  }

  private func place(of list: ListID, _ account: AccountID) -> Place {
    Place(list: list.rawValue, name: .made(account, list), account: account, reason: .author)
  }

  private func existing(_ list: ListID, of account: AccountID) throws -> MadeList {
    guard let known = try reader.madeList(list, of: account) else { throw Refusal.noSuchList(list) }
    return known
  }

  /// Refuses one list too many, and an unusable name.
  private func checkNew(_ name: SafeText, _ account: AccountID) throws {
    try check(name, account)
    guard try reader.madeListCount(of: account) < StoreLimits.lists else {
      throw Refusal.tooMany("lists", limit: StoreLimits.lists)
    }
  }

  private func check(_ name: SafeText, _ account: AccountID) throws {
    if name.isEmpty { throw Refusal.emptyName }
    guard name.count <= StoreLimits.listNameBytes else {
      throw Refusal.tooLong("the list's name", limit: StoreLimits.listNameBytes)
    }
    guard try !reader.hasMadeList(account, named: name) else { throw Refusal.nameTaken(name.string) }
  }

  private func noteChange(_ account: AccountID) {
    transaction.noteChange()
    transaction.noteLists(of: account)
  }
}
