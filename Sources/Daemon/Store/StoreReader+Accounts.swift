public import Dates
public import Posts
public import ViewState

extension StoreReader {
  /// Returns the account with this ID; nil if there is none.
  public func account(_ id: AccountID) throws(StoreError) -> Account? { try AccountReader(database).account(id) }

  /// Returns the account with this name; nil if there is none.
  public func account(named name: String) throws(StoreError) -> Account? {
    try AccountReader(database).account(named: name)
  }

  /// Returns all accounts in order of creation.
  public func accounts() throws(StoreError) -> [Account] { try AccountReader(database).accounts() }

  /// Returns the accounts that follow an author, ordered by ID. Posts for followers go to these accounts.
  public func followers(of author: AuthorID) throws(StoreError) -> [Account] {
    try AccountReader(database).followers(of: author)
  }

  /// Returns the account that writes as this author; nil if the author is not an account's own.
  public func account(writingAs author: AuthorID) throws(StoreError) -> Account? {
    try AccountReader(database).account(writingAs: author)
  }

  /// Returns the author of an account's local posts: source `stack`, the account's name as native ID.
  public func localAuthor(of account: AccountID) throws(StoreError) -> Author? {
    try AccountReader(database).localAuthor(of: account)
  }

  /// Returns how accounts of the store come to be followed.
  public func followPolicy() throws(StoreError) -> FollowPolicy { try FollowSetting(database).policy() }

  /// Returns the open requests to follow an account, newest first.
  public func followRequests(to account: AccountID) throws(StoreError) -> [PendingFollow] {
    try FollowRequestReader(database).requests(to: account)
  }

  // MARK: Feeds

  /// Returns the feeds that an account follows, in the order in which they were added.
  public func feeds(followedBy account: AccountID) throws(StoreError) -> [StoredFeed] {
    try FeedReader(database).feeds(followedBy: account)
  }

  /// Returns those of these feeds that an account follows, in the order in which they were added.
  public func feeds(_ numbers: Set<Int64>, followedBy account: AccountID) throws(StoreError) -> [StoredFeed] {
    try FeedReader(database).feeds(numbers, followedBy: account)
  }

  /// Returns feeds as they are shown to an account; nil for an administrator.
  public func listed(_ feeds: [StoredFeed], for account: AccountID?) throws(StoreError) -> [ListedFeed] {
    try database.snapshot { () throws(StoreError) in try FeedReader(database).listed(feeds, for: account) }
  }

  /// Returns some of the feeds that anybody follows, with the cursors of those that differ from `known`.
  public func feeds(
    _ selection: FeedSelection, knowing known: [String: UpstreamFeed] = [:]
  ) throws(StoreError) -> [ToldFeed] {
    try database.snapshot { () throws(StoreError) in try FeedReader(database).told(selection, knowing: known) }
  }

  // MARK: Retention

  /// Returns true if a rule or a limit is set.
  public func hasRetention() throws(StoreError) -> Bool { try RetentionReader(database).isSet() }

  /// Returns the removals that are due at an instant.
  public func duePrunings(at now: Instant) throws(StoreError) -> [Pruning] {
    try database.snapshot { () throws(StoreError) in try RetentionReader(database).due(at: now) }
  }

  /// Returns the sources and feeds that have a rule, or of which posts were removed.
  public func keptSources() throws(StoreError) -> [KeptSource] {
    try database.snapshot { () throws(StoreError) in try RetentionReader(database).sources() }
  }

  /// Returns the size of the store.
  public func size() throws(StoreError) -> StoreSize {
    try database.snapshot { () throws(StoreError) in try RetentionReader(database).size() }
  }

  /// Returns the logins that programs speak for, with their accounts.
  public func logins() throws(StoreError) -> [StoredLogin] {
    try database.rows(UpstreamQuery.allLogins) { row in
      StoredLogin(
        source: row.text(0), name: row.text(1), account: AccountID(row.integer(2)), accountName: row.text(3))
    }
  }

  /// Returns the names of the newest posts of a source in a list of an account that are not above `top`, but above
  /// `bottom`: of each its ID, then its other names.
  public func names(
    of list: UpstreamLists, at source: String, for account: AccountID, notAbove top: OrderKey, above bottom: OrderKey
  ) throws(StoreError) -> [String] {
    try database.snapshot { () throws(StoreError) in
      try MarkerReader(database).names(of: list, at: source, for: account, notAbove: top, above: bottom)
    }
  }

  // MARK: Authors

  /// Returns the authors with these IDs, in the given order; unknown IDs are left out.
  public func authors(_ ids: some Sequence<AuthorID>) throws(StoreError) -> [Author] {
    try AuthorReader(database).authors(ids)
  }

  /// Returns the authors with this handle, ignoring the case of ASCII letters.
  public func authors(called handle: String) throws(StoreError) -> [Author] {
    try AuthorReader(database).authors(called: handle)
  }

  /// Returns the authors and reposters of `posts`.
  public func authors(of posts: some Sequence<StoredPost>) throws(StoreError) -> [Author] {
    try AuthorReader(database).authors(of: posts)
  }

  /// Returns the author that a user means by `reference`: the store's ID; `source:id` with the source's own ID; or a
  /// handle, with or without "@", ignoring case, for which accounts of this daemon take precedence. Nil if `account`
  /// cannot see anything of such an author.
  public func resolve(author reference: String, for account: AccountID) throws(StoreError) -> AuthorID? {
    try AuthorReader(database).resolve(reference, for: account)
  }

  /// Returns the authors that `account` has claimed, including its own first author, ordered by ID.
  public func identities(of account: AccountID) throws(StoreError) -> [AuthorID] {
    try AuthorReader(database).identities(of: account)
  }

  /// Returns an author's profile as `account` sees it; nil if there is no such author (``resolve(author:for:)``).
  public func profile(of author: AuthorID, for account: AccountID) throws(StoreError) -> Profile? {
    try ProfileReader(database).profile(of: author, for: account)
  }

  /// Returns the authors that an account follows, ordered by ID.
  public func followed(by account: AccountID) throws(StoreError) -> [Author] {
    try ProfileReader(database).followed(by: account)
  }

  /// Returns the authors that `leader` follows and of whom `account` can see anything.
  public func followed(by leader: AccountID, knownTo account: AccountID) throws(StoreError) -> [Author] {
    try ProfileReader(database).followed(by: leader, knownTo: account)
  }

  // MARK: Mutes

  /// Returns the mute list of an account. O(items).
  public func muteList(of account: AccountID) throws(StoreError) -> MuteList {
    try MuteReader(database).muteList(of: account)
  }

  /// Returns the items of the mute list: authors, then words, then conversations.
  public func muted(by account: AccountID) throws(StoreError) -> [Muted] {
    try MuteReader(database).muted(by: account)
  }

  // MARK: Sessions, tokens and drafts

  /// Returns the account's session with this name; nil if there is none.
  public func session(_ account: AccountID, _ name: String) throws(StoreError) -> SavedSession? {
    try SessionReader(database).session(account, name)
  }

  /// Returns all sessions of the account, ordered by name.
  public func sessions(of account: AccountID) throws(StoreError) -> [SavedSession] {
    try SessionReader(database).sessions(of: account)
  }

  /// Returns the number of sessions of the account.
  public func sessionCount(of account: AccountID) throws(StoreError) -> Int {
    try SessionReader(database).count(of: account)
  }

  /// Returns every token of every account with its SHA-256.
  public func tokenHashes() throws(StoreError) -> [(token: Token, hash: [UInt8])] {
    try TokenReader(database).hashes()
  }

  /// Returns the token with this ID; nil if there is none.
  public func token(_ id: Int64) throws(StoreError) -> Token? { try TokenReader(database).token(id) }

  /// Returns all tokens of an account, oldest first.
  public func tokens(of account: AccountID) throws(StoreError) -> [Token] {
    try TokenReader(database).tokens(of: account)
  }

  /// Returns the drafts of an account, the last saved first.
  public func drafts(of account: AccountID) throws(StoreError) -> [StoredDraft] {
    try DraftReader(database).drafts(of: account)
  }
}
