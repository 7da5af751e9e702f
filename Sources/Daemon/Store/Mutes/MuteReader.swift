public import Posts

/// Something that an account does not want to see.
public enum Muted: Equatable, Sendable {
  case author(Author)
  case blocked(Author)
  /// In the spelling of `MutedWord`.
  case word(String)
  /// A conversation, by its first post, and who wrote that.
  case conversation(StoredPost, Author)
}

/// Reads what accounts have muted and blocked.
struct MuteReader {
  private let connection: Connection

  init(_ connection: Connection) { self.connection = connection }

  /// What an account does not want to see. O(what that is).
  func quiet(of account: AccountID) throws(StoreError) -> Quiet {
    var quiet = Quiet()
    quiet.muted = Set(try authors(.muted, of: account))
    quiet.blocked = Set(try authors(.blocked, of: account))
    quiet.words = Set(try words(of: account))
    quiet.conversations = Set(try conversations(of: account))
    if !quiet.conversations.isEmpty { quiet.account = account }
    if !quiet.isEmpty { quiet.own = Set(try AuthorReader(connection).identities(of: account)) }
    return quiet
  }

  /// All that an account does not want to see, part by part.
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

  /// The authors that an account has muted, or blocked, in the order of their numbers.
  func authors(_ kind: QuietKind, of account: AccountID) throws(StoreError) -> [AuthorID] {
    try connection.rows(MuteQuery.authors, account, kind) { AuthorID($0.integer(0)) }
  }

  private func conversations(of account: AccountID) throws(StoreError) -> [PostID] {
    try connection.rows(MuteQuery.conversations, account) { PostID($0.integer(0)) }
  }

  /// The words that an account has muted, in the order of their letters.
  func words(of account: AccountID) throws(StoreError) -> [String] {
    try connection.rows(MuteQuery.words, account) { $0.text(0) }
  }

  /// Whether an account has muted, or blocked, an author.
  func isQuiet(_ kind: QuietKind, _ author: AuthorID, for account: AccountID) throws(StoreError) -> Bool {
    try connection.hasRow(MuteQuery.isQuiet, account, kind, author)
  }
}
