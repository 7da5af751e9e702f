internal import Posts

/// Reads lists and their authors.
struct ListReader {
  private let connection: Connection

  init(_ connection: Connection) { self.connection = connection }

  /// Returns the column `lists.id` of a list that `account` may read; nil if there is none.
  func number(of list: ListName, for account: AccountID) throws(StoreError) -> Int64? {
    switch list {
    case .home(let reader): reader == account ? try number(.home, account) : nil
    case .mentions(let reader): reader == account ? try number(.mentions, account) : nil
    case .messages(let reader): reader == account ? try number(.messages, account) : nil
    case .direct(let group): try connection.number(ListQuery.direct, group, account)
    case .made(let reader, let list):
      reader == account ? try connection.number(MadeListQuery.number, list, account) : nil
    }
  }

  /// Returns the column `lists.id` of one of the lists that every account has.
  func number(_ kind: ListKind, _ account: AccountID) throws(StoreError) -> Int64? {
    try connection.number(ListQuery.ofAccount, kind, account)
  }

  /// Returns the number of posts in a list, by the column `lists.id`.
  func entryCount(of list: Int64) throws(StoreError) -> Int { try connection.count(TallyQuery.entries, list) }

  /// Returns the authors in a list of any kind, by the column `lists.id`, ordered by ID.
  func authors(of list: Int64) throws(StoreError) -> [Author] {
    try AuthorReader(connection).markingNamesakes(
      connection.rows(ListQuery.authors, list, read: Author.init(row:)))
  }

  /// Returns the authors in a list of whom an account can see anything.
  func authors(of list: Int64, knownTo account: AccountID) throws(StoreError) -> [Author] {
    try AuthorReader(connection).markingNamesakes(
      connection.rows(ListQuery.knownAuthors, list, account, LocalSource.name, read: Author.init(row:)))
  }

  /// Returns true if an author is in a list, by the column `lists.id`.
  func isAuthor(_ author: AuthorID, of list: Int64) throws(StoreError) -> Bool {
    try connection.hasRow(ListQuery.isAuthor, list, author)
  }

  /// Returns the number of authors in a list, by the column `lists.id`.
  func authorCount(of list: Int64) throws(StoreError) -> Int { try connection.count(ListQuery.authorCount, list) }

  // MARK: Made lists

  /// Returns the lists that an account made, oldest first.
  func madeLists(of account: AccountID) throws(StoreError) -> [MadeList] {
    try connection.rows(MadeListQuery.ofAccount, account, read: MadeList.init(row:))
      .sorted { $0.id.rawValue < $1.id.rawValue }
  }

  /// Returns a list that an account made; nil if it has no list with this ID.
  func madeList(_ list: ListID, of account: AccountID) throws(StoreError) -> MadeList? {
    try connection.first(MadeListQuery.byNumber, list, account, read: MadeList.init(row:))
  }

  /// Returns the name of a user-made list.
  func madeListName(_ list: ListID) throws(StoreError) -> String? {
    try connection.first(MadeListQuery.name, list) { $0.text(0) }
  }

  /// Returns the number of lists that an account made.
  func madeListCount(of account: AccountID) throws(StoreError) -> Int {
    try connection.count(MadeListQuery.count, account)
  }

  /// Returns true if an account has a list with this name.
  func hasMadeList(_ account: AccountID, named name: SafeText) throws(StoreError) -> Bool {
    try connection.hasRow(MadeListQuery.byName, account, name)
  }

  /// Returns the authors in a list that an account made, ordered by ID; nil if it has no list with this ID.
  func authors(in list: ListID, of account: AccountID) throws(StoreError) -> [Author]? {
    guard let number = try number(of: .made(account, list), for: account) else { return nil }
    return try authors(of: number)
  }
}

extension MadeList {
  /// Reads ID, name, author count and post count from the first four columns.
  fileprivate init(row: Statement) {
    self.init(
      id: ListID(row.integer(0)), name: SafeText(trusted: row.bytes(1)), authorCount: Int(row.integer(2)),
      postCount: Int(row.integer(3)))
  }
}
