public import Posts

extension StoreReader {
  /// At most `limit` posts of a list, newest first: those before `key`, or the newest. Nil where there is no such list,
  /// or it is not for `account`: only the account itself reads what is its own, only its people a conversation.
  ///
  /// Costs what it hands out, whatever the length of the list.
  public func page(
    of list: ListName, for account: AccountID, before key: OrderKey? = nil, limit: Int
  ) throws(StoreError) -> PostPage? {
    try PageReader(database).page(of: list, for: account, before: key, limit: limit)
  }

  /// How many posts a list has; 0 where there is no such list, or it is not for `account`. O(1).
  public func count(of list: ListName, for account: AccountID) throws(StoreError) -> Int {
    try PageReader(database).count(of: list, for: account)
  }

  /// At most `limit` entries of an author, reposts among them, newest first: those before `key`, or the newest. Only
  /// what `account` may see. Nil where there is no such author (``resolve(author:for:)``). For an account's own author
  /// they are those of all its identities (``Profile/identities``).
  public func page(
    by author: AuthorID, for account: AccountID, before key: OrderKey? = nil, limit: Int
  ) throws(StoreError) -> PostPage? {
    try PageReader(database).page(by: author, for: account, before: key, limit: limit)
  }

  /// The newest entry of a section that the account has seen; nil for none.
  public func seen(_ section: SeenSection, of account: AccountID) throws(StoreError) -> OrderKey? {
    try SeenReader(database).seen(section, of: account)
  }

  /// How much is newer in a section than what the account has seen of it; counted up to ``StoreLimits/unseen``.
  public func unseen(_ section: SeenSection, of account: AccountID) throws(StoreError) -> Int {
    try unseen(section, of: account, since: try seen(section, of: account))
  }

  /// How much is newer in a section than an entry, or all of it; counted up to ``StoreLimits/unseen``.
  public func unseen(_ section: SeenSection, of account: AccountID, since seen: OrderKey?) throws(StoreError) -> Int {
    try SeenReader(database).unseen(section, of: account, since: seen)
  }

  // MARK: Made lists

  /// The lists that an account made, the older first.
  public func madeLists(of account: AccountID) throws(StoreError) -> [MadeList] {
    try ListReader(database).madeLists(of: account)
  }

  /// One of them; nil where the account has made none of this number.
  public func madeList(_ list: ListID, of account: AccountID) throws(StoreError) -> MadeList? {
    try ListReader(database).madeList(list, of: account)
  }

  /// The authors in a list that an account made, in the order of their numbers; nil where it has made none of this
  /// number.
  public func authors(in list: ListID, of account: AccountID) throws(StoreError) -> [Author]? {
    try ListReader(database).authors(in: list, of: account)
  }

  // MARK: Circles

  /// Who is in each of these circles.
  public func members(of circles: some Sequence<CircleID>) throws(StoreError) -> Members {
    try CircleReader(database).members(of: circles)
  }

  /// Who is in the circles that the posts are for, for those who are handed the posts.
  public func members(of posts: some Sequence<StoredPost>) throws(StoreError) -> Members {
    try CircleReader(database).members(of: posts)
  }

  /// The accounts of a direct conversation, in the order of their numbers; nil where there is none, or `account` is not
  /// in it.
  public func people(of circle: CircleID, for account: AccountID) throws(StoreError) -> [Account]? {
    try CircleReader(database).people(of: circle, for: account)
  }
}
