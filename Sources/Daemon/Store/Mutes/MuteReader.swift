public import Posts

/// An item of an account's mute list.
public enum Muted: Equatable, Sendable {
  case author(Author)
  case blocked(Author)
  /// A word, in the spelling of `MutedWord`.
  case word(String)
  /// A conversation, by its first post and that post's author.
  case conversation(StoredPost, Author)
}

/// Reads what accounts have muted and blocked.
struct MuteReader {
  private let connection: Connection

  init(_ connection: Connection) { self.connection = connection }

  /// Returns the mute list of an account. O(items).
  func muteList(of account: AccountID) throws(StoreError) -> MuteList {
    var muteList = MuteList()
    muteList.muted = Set(try authors(.muted, of: account))
    muteList.blocked = Set(try authors(.blocked, of: account))
    muteList.words = Set(try words(of: account))
    muteList.conversations = Set(try conversations(of: account))
    if !muteList.conversations.isEmpty { muteList.account = account }
    if !muteList.isEmpty { muteList.own = Set(try AuthorReader(connection).identities(of: account)) }
    return muteList
  }

  /// Returns all muted and blocked items of an account: authors, words, conversations.
  func muted(by account: AccountID) throws(StoreError) -> [Muted] {
    let reader = AuthorReader(connection)
    var muted: [Muted] = []
    for id in try authors(.muted, of: account) {
      if let author = try reader.author(id) { muted.append(.author(author)) }
    }
    for id in try authors(.blocked, of: account) {
      if let author = try reader.author(id) { muted.append(.blocked(author)) }
    }
    for word in try words(of: account) { muted.append(.word(word)) }
    let posts = PostReader(connection)
    for id in try conversations(of: account) {
      if let post = try posts.post(id, visibleTo: account), let author = try reader.author(post.author) {
        muted.append(.conversation(post, author))
      }
    }
    return muted
  }

  /// Returns the authors that an account has muted, or blocked, ordered by ID.
  func authors(_ kind: AuthorMuteKind, of account: AccountID) throws(StoreError) -> [AuthorID] {
    try connection.rows(MuteQuery.authors, account, kind) { AuthorID($0.integer(0)) }
  }

  private func conversations(of account: AccountID) throws(StoreError) -> [PostID] {
    try connection.rows(MuteQuery.conversations, account) { PostID($0.integer(0)) }
  }

  /// Returns the words that an account has muted, in alphabetical order.
  func words(of account: AccountID) throws(StoreError) -> [String] {
    try connection.rows(MuteQuery.words, account) { $0.text(0) }
  }

  /// Returns true if an account has muted, or blocked, an author.
  func isListed(_ kind: AuthorMuteKind, _ author: AuthorID, for account: AccountID) throws(StoreError) -> Bool {
    try connection.hasRow(MuteQuery.isListed, account, kind, author)
  }
}
