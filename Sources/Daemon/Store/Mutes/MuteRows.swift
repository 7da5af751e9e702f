internal import Posts
internal import Search

/// The people behind an author: the accounts that have claimed the author, and all identities of these accounts; at
/// least the author.
struct People {
  var accounts: [AccountID]
  var authors: [AuthorID]
}

/// Writes mutes and blocks, and enforces blocks.
final class MuteRows {
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

  /// Returns the people behind an author.
  func people(as author: AuthorID) throws(StoreError) -> People {
    let accounts = try identities.accounts(of: author)
    var people = People(accounts: accounts, authors: [author])
    for account in accounts {
      for other in try authors.identities(of: account) where other != author { people.authors.append(other) }
    }
    return people
  }

  /// Refuses a follow between two accounts of which one blocks the other. The message to a blocked account does not
  /// mention the block.
  func checkBlocks(of author: AuthorID, for account: AccountID) throws {
    let (mine, theirs) = (try authors.identities(of: account), try people(as: author))
    for other in theirs.authors where try reader.isListed(.blocked, other, for: account) { throw Refusal.blocked }
    for other in theirs.accounts {
      for own in mine where try reader.isListed(.blocked, own, for: other) { throw Refusal.notToBeFollowed }
    }
  }

  /// Mutes or blocks an author for an account, or reverses that; returns true if anything changed.
  func setMute(_ kind: AuthorMuteKind, _ author: AuthorID, _ isOn: Bool, of account: AccountID) throws -> Bool {
    try authors.check(author, for: account)
    if isOn {
      guard try !authors.identities(of: account).contains(author) else { throw Refusal.quietAboutOneself }
      guard try !reader.isListed(kind, author, for: account) else { return false }
      guard try connection.count(MuteQuery.authorCount, account) < StoreLimits.mutedAuthors else {
        throw Refusal.tooMany("muted and blocked authors", limit: StoreLimits.mutedAuthors)
      }
    }
    let query = isOn ? MuteQuery.insertAuthor : MuteQuery.deleteAuthor
    return recordChange(try connection.change(query, account, kind, author), of: account)
  }

  /// Mutes or unmutes a word for an account; returns true if anything changed.
  func setMute(_ word: MutedWord, _ isOn: Bool, of account: AccountID) throws -> Bool {
    if isOn, try connection.count(MuteQuery.wordCount, account) >= StoreLimits.mutedWords,
      try !reader.words(of: account).contains(word.spelling)
    {
      throw Refusal.tooMany("muted words", limit: StoreLimits.mutedWords)
    }
    let query = isOn ? MuteQuery.insertWord : MuteQuery.deleteWord
    return recordChange(try connection.change(query, account, word.spelling), of: account)
  }

  /// Unmutes and unblocks an author that the account claims.
  func forget(_ author: AuthorID, of account: AccountID) throws(StoreError) {
    var hasChanged = false
    for kind in AuthorMuteKind.allCases where try connection.change(MuteQuery.deleteAuthor, account, kind, author) {
      hasChanged = true
    }
    let hasMutes = try !reader.muteList(of: account).isEmpty
    if hasChanged || hasMutes { transaction.noteMutes(of: account) }
  }

  private func recordChange(_ hasChanged: Bool, of account: AccountID) -> Bool {
    if hasChanged {
      transaction.noteChange()
      transaction.noteMutes(of: account)
    }
    return hasChanged
  }
}
