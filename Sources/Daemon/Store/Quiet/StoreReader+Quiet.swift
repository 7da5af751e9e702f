public import Posts

extension StoreReader {
  /// What an account does not want to see. O(what that is).
  public func quiet(of account: AccountID) throws(StoreError) -> Quiet {
    var quiet = Quiet()
    quiet.muted = Set(try quietAuthors(.muted, of: account))
    quiet.blocked = Set(try quietAuthors(.blocked, of: account))
    quiet.words = Set(try mutedWords(of: account))
    if !quiet.isEmpty { quiet.own = Set(try identities(of: account)) }
    return quiet
  }

  /// The authors that an account has muted, in the order of their numbers.
  public func mutedAuthors(of account: AccountID) throws(StoreError) -> [Author] {
    try authors(try quietAuthors(.muted, of: account))
  }

  /// The authors that an account has blocked, in the order of their numbers.
  public func blockedAuthors(of account: AccountID) throws(StoreError) -> [Author] {
    try authors(try quietAuthors(.blocked, of: account))
  }

  /// The words that an account has muted, in the order of their letters.
  public func mutedWords(of account: AccountID) throws(StoreError) -> [String] {
    let statement = try connection.statement(.quietWords)
    defer { statement.reset() }
    statement.bind(1, account.rawValue)
    var words: [String] = []
    while try statement.step() { words.append(statement.text(0)) }
    return words
  }

  /// Whether an account has muted, or blocked, an author.
  func isQuiet(_ kind: QuietKind, _ author: AuthorID, for account: AccountID) throws(StoreError) -> Bool {
    let statement = try connection.statement(.isQuietAuthor)
    defer { statement.reset() }
    statement.bind(1, account.rawValue)
    statement.bind(2, kind.rawValue)
    statement.bind(3, author.rawValue)
    return try statement.step()
  }

  private func quietAuthors(_ kind: QuietKind, of account: AccountID) throws(StoreError) -> [AuthorID] {
    let statement = try connection.statement(.quietAuthors)
    defer { statement.reset() }
    statement.bind(1, account.rawValue)
    statement.bind(2, kind.rawValue)
    var authors: [AuthorID] = []
    while try statement.step() { authors.append(AuthorID(statement.integer(0))) }
    return authors
  }
}
