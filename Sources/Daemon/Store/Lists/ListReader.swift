internal import Posts

/// Reads lists and who is in them.
struct ListReader {
  private let connection: Connection

  init(_ connection: Connection) { self.connection = connection }

  /// The column `lists.id` of a list that `account` may read.
  func number(of list: ListName, for account: AccountID) throws(StoreError) -> Int64? {
    switch list {
    case .home(let reader): reader == account ? try number(.home, account) : nil
    case .mentions(let reader): reader == account ? try number(.mentions, account) : nil
    case .messages(let reader): reader == account ? try number(.messages, account) : nil
    case .direct(let circle): try connection.number(ListQuery.direct, circle, account)
    case .made(let reader, let list):
      reader == account ? try connection.number(MadeListQuery.number, list, account) : nil
    }
  }

  /// The column `lists.id` of one of the lists that every account has.
  func number(_ kind: ListKind, _ account: AccountID) throws(StoreError) -> Int64? {
    try connection.number(ListQuery.ofAccount, kind, account)
  }

  /// How many posts a list has, by the column `lists.id`.
  func entryCount(of list: Int64) throws(StoreError) -> Int { try connection.count(TallyQuery.entries, list) }

  /// The authors in a list of any kind, by the column `lists.id`, in the order of their numbers.
  func authors(of list: Int64) throws(StoreError) -> [Author] {
    try connection.rows(ListQuery.authors, list, read: Author.init(row:))
  }

  /// Those of them of whom an account can see anything.
  func authors(of list: Int64, knownTo account: AccountID) throws(StoreError) -> [Author] {
    try connection.rows(ListQuery.knownAuthors, list, account, LocalSource.name, read: Author.init(row:))
  }

  /// Whether an author is in a list, by the column `lists.id`.
  func isAuthor(_ author: AuthorID, of list: Int64) throws(StoreError) -> Bool {
    try connection.hasRow(ListQuery.isAuthor, list, author)
  }

  /// How many authors are in a list, by the column `lists.id`.
  func authorCount(of list: Int64) throws(StoreError) -> Int { try connection.count(ListQuery.authorCount, list) }

  // MARK: Made lists

  /// The lists that an account made, the older first.
  func madeLists(of account: AccountID) throws(StoreError) -> [MadeList] {
    try connection.rows(MadeListQuery.ofAccount, account, read: MadeList.init(row:))
      .sorted { $0.id.rawValue < $1.id.rawValue }
  }

  /// One of them; nil where the account has made none of this number.
  func madeList(_ list: ListID, of account: AccountID) throws(StoreError) -> MadeList? {
    try connection.first(MadeListQuery.byNumber, list, account, read: MadeList.init(row:))
  }

  /// The name of a list that somebody made.
  func madeListName(_ list: ListID) throws(StoreError) -> String? {
    try connection.first(MadeListQuery.name, list) { $0.text(0) }
  }

  /// How many lists an account has made.
  func madeListCount(of account: AccountID) throws(StoreError) -> Int {
    try connection.count(MadeListQuery.count, account)
  }

  /// Whether an account has made a list of this name.
  func hasMadeList(_ account: AccountID, named name: SafeText) throws(StoreError) -> Bool {
    try connection.hasRow(MadeListQuery.byName, account, name)
  }

  /// The authors in a list that an account made, in the order of their numbers; nil where it has made none of this
  /// number.
  func authors(in list: ListID, of account: AccountID) throws(StoreError) -> [Author]? {
    guard let number = try number(of: .made(account, list), for: account) else { return nil }
    return try authors(of: number)
  }
}

extension MadeList {
  /// Reads number, name, authors and posts from the first four columns.
  fileprivate init(row: Statement) {
    self.init(
      id: ListID(row.integer(0)), name: SafeText(trusted: row.bytes(1)), authorCount: Int(row.integer(2)),
      postCount: Int(row.integer(3)))
  }
}
