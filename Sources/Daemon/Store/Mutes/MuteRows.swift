internal import Posts
internal import Search

/// The people behind an author: the accounts that are the author, and all authors that they are; at least the author.
struct People {
  var accounts: [AccountID]
  var authors: [AuthorID]
}

/// Writes what accounts have muted and blocked, and says what blocks forbid.
struct MuteRows {
  private let connection: Connection
  private let transaction: Transaction
  private let reader: MuteReader
  private let authors: AuthorReader
  private let identities: IdentityLookup

  init(_ connection: Connection, _ transaction: Transaction, _ identities: IdentityLookup) {
    (self.connection, self.transaction, self.identities) = (connection, transaction, identities)
    reader = MuteReader(connection)
    authors = AuthorReader(connection)
  }

  /// The people behind an author.
  func people(as author: AuthorID) throws(StoreError) -> People {
    let accounts = try identities.accounts(of: author)
    var people = People(accounts: accounts, authors: [author])
    for account in accounts {
      for other in try authors.identities(of: account) where other != author { people.authors.append(other) }
    }
    return people
  }

  /// Refuses that an account follows an author while one of both blocks the other. Who is blocked is not told so.
  func checkBlocks(of author: AuthorID, for account: AccountID) throws {
    let (mine, theirs) = (try authors.identities(of: account), try people(as: author))
    for other in theirs.authors where try reader.isQuiet(.blocked, other, for: account) { throw Refusal.blocked }
    for other in theirs.accounts {
      for own in mine where try reader.isQuiet(.blocked, own, for: other) { throw Refusal.notToBeFollowed }
    }
  }

  /// Mutes or blocks an author for an account, or takes that back; true if that changed something.
  func set(_ kind: QuietKind, _ author: AuthorID, _ isOn: Bool, of account: AccountID) throws -> Bool {
    try authors.check(author, for: account)
    if isOn {
      guard try !authors.identities(of: account).contains(author) else { throw Refusal.quietAboutOneself }
      guard try !reader.isQuiet(kind, author, for: account) else { return false }
      guard try connection.count(MuteQuery.authorCount, account) < StoreLimits.quietAuthors else {
        throw Refusal.tooMany("muted and blocked authors", limit: StoreLimits.quietAuthors)
      }
    }
    let query = isOn ? MuteQuery.insertAuthor : MuteQuery.deleteAuthor
    return note(try connection.change(query, account, kind, author), account)
  }

  /// Mutes a word for an account, or takes that back; true if that changed something.
  func set(_ word: MutedWord, _ isOn: Bool, of account: AccountID) throws -> Bool {
    if isOn, try connection.count(MuteQuery.wordCount, account) >= StoreLimits.quietWords,
      try !reader.words(of: account).contains(word.spelling)
    {
      throw Refusal.tooMany("muted words", limit: StoreLimits.quietWords)
    }
    let query = isOn ? MuteQuery.insertWord : MuteQuery.deleteWord
    return note(try connection.change(query, account, word.spelling), account)
  }

  /// Has an account neither mute nor block an author any more whom it claims to be.
  func forget(_ author: AuthorID, of account: AccountID) throws(StoreError) {
    var hasChanged = false
    for kind in QuietKind.allCases where try connection.change(MuteQuery.deleteAuthor, account, kind, author) {
      hasChanged = true
    }
    let isQuiet = try !reader.quiet(of: account).isEmpty
    if hasChanged || isQuiet { transaction.noteMutes(of: account) }
  }

  private func note(_ hasChanged: Bool, _ account: AccountID) -> Bool {
    if hasChanged {
      transaction.noteChange()
      transaction.noteMutes(of: account)
    }
    return hasChanged
  }
}
