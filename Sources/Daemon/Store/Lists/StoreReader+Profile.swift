public import Posts

extension StoreReader {
  /// An author's profile as `account` sees it; nil where there is no such author (``resolve(author:for:)``).
  public func profile(of author: AuthorID, for account: AccountID) throws(StoreError) -> Profile? {
    try snapshot { () throws(StoreError) in
      guard try isKnown(author, to: account), let known = try authors([author]).first else { return nil }
      let writer = try self.account(writingAs: author)
      let own = try identities(of: account)
      let identities = try identities(of: author, for: account)
      var profile = Profile(
        author: known, identities: identities, account: writer, posts: try count(by: identities, for: account),
        followers: try followerCount(of: author), following: 0, isFollowed: try isFollowed(author, by: account),
        followsMe: false, isMuted: try isQuiet(.muted, author, for: account),
        isBlocked: try isQuiet(.blocked, author, for: account),
        isMe: own.contains(author))
      if let writer {
        profile.following = try followed(by: writer.id, knownTo: account).count
        if let mine = try localAuthor(of: account) { profile.followsMe = try isFollowed(mine.id, by: writer.id) }
      }
      return profile
    }
  }

  /// The authors that an account follows, in the order of their numbers.
  public func followed(by account: AccountID) throws(StoreError) -> [Author] {
    try number(.home, account).map { home throws(StoreError) in try authors(inList: home) } ?? []
  }

  /// Those of them of whom another account can see anything.
  public func followed(by leader: AccountID, knownTo account: AccountID) throws(StoreError) -> [Author] {
    guard let home = try number(.home, leader) else { return [] }
    let statement = try connection.statement(.knownListAuthors)
    defer { statement.reset() }
    statement.bind(1, home)
    statement.bind(2, account.rawValue)
    statement.bind(3, text: PostStore.localSource)
    return try authors(statement)
  }

  private func followerCount(of author: AuthorID) throws(StoreError) -> Int {
    let statement = try connection.statement(.followerCount)
    defer { statement.reset() }
    statement.bind(1, author.rawValue)
    return try statement.step() ? Int(statement.integer(0)) : 0
  }

  /// The authors whose posts are shown where `account` looks at `author`.
  func identities(of author: AuthorID, for account: AccountID) throws(StoreError) -> [AuthorID] {
    guard try self.account(writingAs: author)?.id == account else { return [author] }
    return try identities(of: account)
  }

  private func isFollowed(_ author: AuthorID, by account: AccountID) throws(StoreError) -> Bool {
    let statement = try connection.statement(.isFollowed)
    defer { statement.reset() }
    statement.bind(1, account.rawValue)
    statement.bind(2, author.rawValue)
    return try statement.step()
  }
}
