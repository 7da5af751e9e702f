public import Posts

extension StoreReader {
  /// Returns at most `limit` posts of a list, newest first: those before `key`, or the newest. Nil if there is no such
  /// list or `account` may not read it: only the account itself reads its lists, and only its people read a
  /// conversation.
  ///
  /// Costs time proportional to the page, whatever the length of the list.
  public func page(
    of list: ListName, for account: AccountID, before key: OrderKey? = nil, limit: Int
  ) throws(StoreError) -> PostPage? {
    try PageReader(database).page(of: list, for: account, before: key, limit: limit)
  }

  /// Returns the number of posts in a list; 0 if there is no such list or `account` may not read it. O(1).
  public func count(of list: ListName, for account: AccountID) throws(StoreError) -> Int {
    try PageReader(database).count(of: list, for: account)
  }

  /// Returns at most `limit` entries of an author, including reposts, newest first: those before `key`, or the newest.
  /// Only entries that `account` may see. Nil if there is no such author (``resolve(author:for:)``). For an account's
  /// own author, returns those of all its identities (``Profile/identities``).
  public func page(
    by author: AuthorID, for account: AccountID, before key: OrderKey? = nil, limit: Int
  ) throws(StoreError) -> PostPage? {
    try PageReader(database).page(by: author, for: account, before: key, limit: limit)
  }

  /// Returns the newest entry of a section that the account has seen; nil for none.
  public func seen(_ section: SeenSection, of account: AccountID) throws(StoreError) -> OrderKey? {
    try SeenReader(database).seen(section, of: account)
  }

  /// Returns the number of entries of a section that are newer than what the account has seen; at most
  /// ``StoreLimits/unseen``.
  public func unseen(_ section: SeenSection, of account: AccountID) throws(StoreError) -> Int {
    try unseen(section, of: account, since: try seen(section, of: account))
  }

  /// Returns the number of entries of a section that are newer than `seen`, or of all; at most ``StoreLimits/unseen``.
  public func unseen(_ section: SeenSection, of account: AccountID, since seen: OrderKey?) throws(StoreError) -> Int {
    try SeenReader(database).unseen(section, of: account, since: seen)
  }

  // MARK: Made lists

  /// Returns the lists that an account made, oldest first.
  public func madeLists(of account: AccountID) throws(StoreError) -> [MadeList] {
    try ListReader(database).madeLists(of: account)
  }

  /// Returns a list that an account made; nil if it has no list with this ID.
  public func madeList(_ list: ListID, of account: AccountID) throws(StoreError) -> MadeList? {
    try ListReader(database).madeList(list, of: account)
  }

  /// Returns the authors in a list that an account made, ordered by ID; nil if it has no list with this ID.
  public func authors(in list: ListID, of account: AccountID) throws(StoreError) -> [Author]? {
    try ListReader(database).authors(in: list, of: account)
  }

  // MARK: Audience groups

  /// Returns the members of each of these audience groups.
  public func members(of groups: some Sequence<AudienceGroupID>) throws(StoreError) -> Members {
    try AudienceGroupReader(database).members(of: groups)
  }

  /// Returns the members of the audience groups of `posts`, for delivery along with the posts.
  public func members(of posts: some Sequence<StoredPost>) throws(StoreError) -> Members {
    try AudienceGroupReader(database).members(of: posts)
  }

  /// Returns the authors with whom an account is in a direct conversation elsewhere, and the names there of those of
  /// whom nothing has come.
  public func remoteAuthors(
    of group: AudienceGroupID
  ) throws(StoreError) -> (known: [Author], unknown: [SafeText]) {
    try AudienceGroupReader(database).remoteAuthors(of: group)
  }

  /// Returns the accounts of a direct conversation, ordered by ID; nil if there is no such conversation or `account` is
  /// not in it.
  public func people(of group: AudienceGroupID, for account: AccountID) throws(StoreError) -> [Account]? {
    try AudienceGroupReader(database).people(of: group, for: account)
  }
}
