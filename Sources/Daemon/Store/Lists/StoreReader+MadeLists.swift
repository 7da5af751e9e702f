public import Posts

extension StoreReader {
  /// The lists that an account made, the older first.
  public func madeLists(of account: AccountID) throws(StoreError) -> [MadeList] {
    let statement = try connection.statement(.madeLists)
    defer { statement.reset() }
    statement.bind(1, account.rawValue)
    var lists: [MadeList] = []
    while try statement.step() { lists.append(MadeList(row: statement)) }
    return lists.sorted { $0.id.rawValue < $1.id.rawValue }
  }

  /// One of them; nil where the account has made none of this number.
  public func madeList(_ list: ListID, of account: AccountID) throws(StoreError) -> MadeList? {
    let statement = try connection.statement(.madeList)
    defer { statement.reset() }
    statement.bind(1, list.rawValue)
    statement.bind(2, account.rawValue)
    return try statement.step() ? MadeList(row: statement) : nil
  }

  /// How many lists an account has made.
  func madeListCount(of account: AccountID) throws(StoreError) -> Int {
    let statement = try connection.statement(.madeListCount)
    defer { statement.reset() }
    statement.bind(1, account.rawValue)
    return try statement.step() ? Int(statement.integer(0)) : 0
  }

  /// Whether an account has made a list of this name.
  func hasMadeList(_ account: AccountID, named name: SafeText) throws(StoreError) -> Bool {
    let statement = try connection.statement(.hasMadeList)
    defer { statement.reset() }
    statement.bind(1, account.rawValue)
    statement.bind(2, text: name.utf8)
    return try statement.step()
  }

  /// The authors in a list that an account made, in the order of their numbers; nil where it has made none of this
  /// number.
  public func authors(in list: ListID, of account: AccountID) throws(StoreError) -> [Author]? {
    try number(of: .made(account, list), for: account).map { number throws(StoreError) in try authors(inList: number) }
  }

  /// The authors in a list of any kind, by the column `lists.id`, in the order of their numbers.
  func authors(inList list: Int64) throws(StoreError) -> [Author] {
    let statement = try connection.statement(.listAuthors)
    defer { statement.reset() }
    statement.bind(1, list)
    return try authors(statement)
  }

  /// The authors in the rest of the statement's rows.
  func authors(_ statement: Statement) throws(StoreError) -> [Author] {
    var authors: [Author] = []
    while try statement.step() { authors.append(Author(row: statement)) }
    return authors
  }

  /// Whether an author is in a list, by the column `lists.id`.
  func isAuthor(_ author: AuthorID, of list: Int64) throws(StoreError) -> Bool {
    let statement = try connection.statement(.isListAuthor)
    defer { statement.reset() }
    statement.bind(1, list)
    statement.bind(2, author.rawValue)
    return try statement.step()
  }

  /// How many authors are in a list, by the column `lists.id`.
  func authorCount(of list: Int64) throws(StoreError) -> Int {
    let statement = try connection.statement(.listAuthorCount)
    defer { statement.reset() }
    statement.bind(1, list)
    return try statement.step() ? Int(statement.integer(0)) : 0
  }
}

extension MadeList {
  /// Reads number, name, authors and posts from the first four columns.
  init(row: Statement) {
    self.init(
      id: ListID(row.integer(0)), name: SafeText(trusted: row.bytes(1)), authorCount: Int(row.integer(2)),
      postCount: Int(row.integer(3)))
  }
}
