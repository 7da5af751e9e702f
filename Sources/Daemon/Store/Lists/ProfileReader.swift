internal import Posts

/// Reads profiles and follows.
struct ProfileReader {
  private let connection: Connection

  init(_ connection: Connection) { self.connection = connection }

  /// See ``StoreReader/profile(of:for:)``.
  func profile(of author: AuthorID, for account: AccountID) throws(StoreError) -> Profile? {
    try connection.snapshot { () throws(StoreError) in
      let (accounts, authors, mutes) = (AccountReader(connection), AuthorReader(connection), MuteReader(connection))
      let pages = PageReader(connection)
      guard try authors.isKnown(author, to: account), let known = try authors.author(author) else { return nil }
      let writer = try accounts.account(writingAs: author)
      let own = try authors.identities(of: account)
      let identities = try pages.identities(of: author, for: account)
      var profile = Profile(
        author: known, identities: identities, account: writer, posts: try pages.count(by: identities, for: account),
        followers: try connection.count(FollowQuery.followerCount, author), following: 0,
        isFollowed: try isFollowed(author, by: account),
        followsMe: false, isMuted: try mutes.isListed(.muted, author, for: account),
        isBlocked: try mutes.isListed(.blocked, author, for: account),
        isMe: own.contains(author))
      if let writer {
        profile.following = try followed(by: writer.id, knownTo: account).count
        if let mine = try accounts.localAuthor(of: account) {
          profile.followsMe = try isFollowed(mine.id, by: writer.id)
        }
      }
      return profile
    }
  }

  /// Returns the authors that an account follows, ordered by ID.
  func followed(by account: AccountID) throws(StoreError) -> [Author] {
    let lists = ListReader(connection)
    guard let home = try lists.number(.home, account) else { return [] }
    return try lists.authors(of: home)
  }

  /// Returns the authors that `leader` follows and of whom `account` can see anything.
  func followed(by leader: AccountID, knownTo account: AccountID) throws(StoreError) -> [Author] {
    let lists = ListReader(connection)
    guard let home = try lists.number(.home, leader) else { return [] }
    return try lists.authors(of: home, knownTo: account)
  }

  private func isFollowed(_ author: AuthorID, by account: AccountID) throws(StoreError) -> Bool {
    try connection.hasRow(FollowQuery.isFollowed, account, author)
  }
}
