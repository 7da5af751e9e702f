public import Posts

extension StoreReader {
  /// The account with this number, if there is one.
  public func account(_ id: AccountID) throws(StoreError) -> Account? { try AccountReader(database).account(id) }

  /// The account with this name, if there is one.
  public func account(named name: String) throws(StoreError) -> Account? {
    try AccountReader(database).account(named: name)
  }

  /// All accounts, in the order in which they were made.
  public func accounts() throws(StoreError) -> [Account] { try AccountReader(database).accounts() }

  /// The accounts that follow an author, in the order of their numbers. Whoever writes for followers writes for them.
  public func followers(of author: AuthorID) throws(StoreError) -> [Account] {
    try AccountReader(database).followers(of: author)
  }

  /// The account whose own author this is, if it is one's.
  public func account(writingAs author: AuthorID) throws(StoreError) -> Account? {
    try AccountReader(database).account(writingAs: author)
  }

  /// The author of what an account writes here: source `stack`, the account's name as native id.
  public func localAuthor(of account: AccountID) throws(StoreError) -> Author? {
    try AccountReader(database).localAuthor(of: account)
  }

  // MARK: Authors

  /// The authors with these numbers, in the order asked for; a number that nobody has is left out.
  public func authors(_ ids: some Sequence<AuthorID>) throws(StoreError) -> [Author] {
    try AuthorReader(database).authors(ids)
  }

  /// Everybody who wrote or reposted one of `posts`.
  public func authors(of posts: some Sequence<StoredPost>) throws(StoreError) -> [Author] {
    try AuthorReader(database).authors(of: posts)
  }

  /// The author whom a user means by `reference`: the store's number; `source:id` with the source's own id; or a
  /// handle, with or without "@", in whatever case, for which accounts of this daemon come first. Nil where there is
  /// none of whom `account` can see anything.
  public func resolve(author reference: String, for account: AccountID) throws(StoreError) -> AuthorID? {
    try AuthorReader(database).resolve(reference, for: account)
  }

  /// The authors that `account` has claimed to be, its own first author included; in the order of their numbers.
  public func identities(of account: AccountID) throws(StoreError) -> [AuthorID] {
    try AuthorReader(database).identities(of: account)
  }

  /// An author's profile as `account` sees it; nil where there is no such author (``resolve(author:for:)``).
  public func profile(of author: AuthorID, for account: AccountID) throws(StoreError) -> Profile? {
    try ProfileReader(database).profile(of: author, for: account)
  }

  /// The authors that an account follows, in the order of their numbers.
  public func followed(by account: AccountID) throws(StoreError) -> [Author] {
    try ProfileReader(database).followed(by: account)
  }

  /// Those of them of whom another account can see anything.
  public func followed(by leader: AccountID, knownTo account: AccountID) throws(StoreError) -> [Author] {
    try ProfileReader(database).followed(by: leader, knownTo: account)
  }

  // MARK: Mutes

  /// What an account does not want to see. O(what that is).
  public func quiet(of account: AccountID) throws(StoreError) -> Quiet { try MuteReader(database).quiet(of: account) }

  /// The same by its parts: authors, then words.
  public func muted(by account: AccountID) throws(StoreError) -> [Muted] {
    try MuteReader(database).muted(by: account)
  }

  // MARK: Sessions, tokens and drafts

  /// The account's session of this name, or nil.
  public func session(_ account: AccountID, _ name: String) throws(StoreError) -> SavedSession? {
    try SessionReader(database).session(account, name)
  }

  /// All sessions of the account, by name.
  public func sessions(of account: AccountID) throws(StoreError) -> [SavedSession] {
    try SessionReader(database).sessions(of: account)
  }

  /// How many sessions the account has.
  public func sessionCount(of account: AccountID) throws(StoreError) -> Int {
    try SessionReader(database).count(of: account)
  }

  /// Every token of every account, each with its SHA-256.
  public func tokenHashes() throws(StoreError) -> [(token: Token, hash: [UInt8])] {
    try TokenReader(database).hashes()
  }

  /// The token with this number, if there is one.
  public func token(_ id: Int64) throws(StoreError) -> Token? { try TokenReader(database).token(id) }

  /// All tokens of an account, the older first.
  public func tokens(of account: AccountID) throws(StoreError) -> [Token] {
    try TokenReader(database).tokens(of: account)
  }

  /// The drafts of an account, the one that was saved last first.
  public func drafts(of account: AccountID) throws(StoreError) -> [Draft] {
    try DraftReader(database).drafts(of: account)
  }
}
