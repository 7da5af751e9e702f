internal import Posts
internal import Search

/// What accounts do not want to see (behaviour.md, rule 48). No list changes by it but by the follows that a block
/// ends: posts are passed over when a list is shown and counted (docs/adr/0019).
extension PostStore {
  /// Has an account mute or block something, or take that back; what is so already stays so.
  func quiet(_ quieting: Quieting) throws -> Quieted {
    let account = try existing(quieting.account)
    switch quieting.subject {
    case .word(let word): return try record(quieting, change(word, quieting.isOn, of: account.id))
    case .muted(let author): return try record(quieting, change(.muted, author, quieting.isOn, of: account.id))
    case .blocked(let author):
      var quieted = try record(quieting, change(.blocked, author, quieting.isOn, of: account.id))
      if quieting.isOn, quieted.hasChanged { quieted.hasUnfollowed = try part(account, from: author) }
      return quieted
    }
  }

  /// Refuses that an account follows an author while one of both blocks the other. Who is blocked is not told so.
  func checkBlocks(of author: AuthorID, for account: AccountID) throws {
    let (mine, theirs) = (try identities(of: account), try people(as: author))
    for other in theirs.authors where try isQuiet(.blocked, other, for: account) { throw Refusal.blocked }
    for other in theirs.accounts {
      for own in mine where try isQuiet(.blocked, own, for: other) { throw Refusal.notToBeFollowed }
    }
  }

  /// Nobody is quiet about who they are: what was muted or blocked is so no longer when the account claims to be it.
  func forgetQuiet(about author: AuthorID, of account: AccountID) throws(StoreError) {
    var hasChanged = false
    for kind in QuietKind.allCases where try write(.deleteQuietAuthor, kind, author, of: account) { hasChanged = true }
    let isQuiet = try !quiet(of: account).isEmpty
    if hasChanged || isQuiet { transaction!.quieted.insert(account) }
  }

  // MARK: Pieces of it

  private func change(_ kind: QuietKind, _ author: AuthorID, _ isOn: Bool, of account: AccountID) throws -> Quieted {
    try checkAuthor(author, for: account)
    if isOn {
      guard try !identities(of: account).contains(author) else { throw Refusal.quietAboutOneself }
      guard try !isQuiet(kind, author, for: account) else { return Quieted(hasChanged: false) }
      guard try count(.quietAuthorCount, of: account) < StoreLimits.quietAuthors else {
        throw Refusal.tooMany("muted and blocked authors", limit: StoreLimits.quietAuthors)
      }
    }
    return try note(account, try write(isOn ? .insertQuietAuthor : .deleteQuietAuthor, kind, author, of: account))
  }

  private func change(_ word: MutedWord, _ isOn: Bool, of account: AccountID) throws -> Quieted {
    if isOn, try count(.quietWordCount, of: account) >= StoreLimits.quietWords,
      try !mutedWords(of: account).contains(word.spelling)
    {
      throw Refusal.tooMany("muted words", limit: StoreLimits.quietWords)
    }
    let statement = try connection.statement(isOn ? .insertQuietWord : .deleteQuietWord)
    defer { statement.reset() }
    statement.bind(1, account.rawValue)
    statement.bind(2, text: word.spelling)
    _ = try statement.step()
    return try note(account, connection.changes > 0)
  }

  private func note(_ account: AccountID, _ hasChanged: Bool) throws(StoreError) -> Quieted {
    if hasChanged {
      noteChange()
      transaction!.quieted.insert(account)
    }
    return Quieted(hasChanged: hasChanged)
  }

  private func record(_ quieting: Quieting, _ quieted: Quieted) throws(StoreError) -> Quieted {
    if quieted.hasChanged { try record(.quiet(quieting.subject, isOn: quieting.isOn), of: quieting.account) }
    return quieted
  }

  /// Ends the follows between an account and whoever an author is; true if the account followed one of them.
  private func part(_ account: Account, from author: AuthorID) throws -> Bool {
    let theirs = try people(as: author)
    var hasUnfollowed = false
    // All of it is one step, and none of whoever is blocked: their journal would tell.
    let step = transaction!.step
    transaction!.step = step ?? StepID(account: account.id, number: 0)
    defer { transaction!.step = step }
    let home = try ownLists()[account.id]!.home
    for other in theirs.authors where try isAuthor(other, of: home) {
      hasUnfollowed = true
      _ = try unfollow(account.id, other)
    }
    let mine = try identities(of: account.id)
    for other in theirs.accounts {
      let home = try ownLists()[other]!.home
      for own in mine where try isAuthor(own, of: home) { _ = try unfollow(other, own) }
    }
    return hasUnfollowed
  }

  /// The accounts that are an author, and all authors that they are; at least the author.
  private func people(as author: AuthorID) throws(StoreError) -> (accounts: [AccountID], authors: [AuthorID]) {
    let accounts = try identities().accounts(of: author)
    var authors = [author]
    for account in accounts {
      for other in try identities(of: account) where other != author { authors.append(other) }
    }
    return (accounts, authors)
  }

  private func count(_ query: Query, of account: AccountID) throws(StoreError) -> Int {
    let statement = try connection.statement(query)
    defer { statement.reset() }
    statement.bind(1, account.rawValue)
    return try statement.step() ? Int(statement.integer(0)) : 0
  }

  /// True if that changed something.
  private func write(_ query: Query, _ kind: QuietKind, _ author: AuthorID, of account: AccountID) throws(StoreError)
    -> Bool
  {
    let statement = try connection.statement(query)
    defer { statement.reset() }
    statement.bind(1, account.rawValue)
    statement.bind(2, kind.rawValue)
    statement.bind(3, author.rawValue)
    _ = try statement.step()
    return connection.changes > 0
  }
}
