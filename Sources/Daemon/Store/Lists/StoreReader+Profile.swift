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
        followers: try followers(of: author).count, following: 0, isFollowed: try isFollowed(author, by: account),
        followsMe: false, isMe: own.contains(author))
      if let writer {
        profile.following = try followed(by: writer.id).count { author throws(StoreError) in try isKnown(author.id, to: account) }
        if let mine = try localAuthor(of: account) { profile.followsMe = try isFollowed(mine.id, by: writer.id) }
      }
      return profile
    }
  }

  /// The authors that an account follows, in the order of their numbers.
  public func followed(by account: AccountID) throws(StoreError) -> [Author] {
    let statement = try connection.statement(.listOfAccount)
    defer { statement.reset() }
    statement.bind(1, ListKind.home.rawValue)
    statement.bind(2, account.rawValue)
    return try statement.step() ? authors(inList: statement.integer(0)) : []
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
