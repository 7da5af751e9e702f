internal import Dates
public import Posts
internal import Search

extension StoreReader {
  /// At most `limit` posts of a list, newest first: those before `key`, or the newest. Nil where there is no such list,
  /// or it is not for `account`: only the account itself reads what is its own, only its people a conversation.
  ///
  /// Costs what it hands out, whatever the length of the list.
  public func page(
    of list: ListName, for account: AccountID, before key: OrderKey? = nil, limit: Int
  ) throws(StoreError) -> PostPage? {
    try snapshot { () throws(StoreError) in
      guard let number = try number(of: list, for: account) else { return nil }
      let posts = try posts(.page, number, account, key, limit)
      return try page(posts, limit, total: try entryCount(of: number))
    }
  }

  /// How many posts a list has; 0 where there is no such list, or it is not for `account`. O(1).
  public func count(of list: ListName, for account: AccountID) throws(StoreError) -> Int {
    guard let number = try number(of: list, for: account) else { return 0 }
    return try entryCount(of: number)
  }

  /// At most `limit` entries of an author, reposts among them, newest first: those before `key`, or the newest. Only
  /// what `account` may see. Nil where there is no such author (``resolve(author:for:)``). For an account's own author
  /// they are those of all its identities (``Profile/identities``).
  public func page(
    by author: AuthorID, for account: AccountID, before key: OrderKey? = nil, limit: Int
  ) throws(StoreError) -> PostPage? {
    try snapshot { () throws(StoreError) in
      guard try isKnown(author, to: account) else { return nil }
      let authors = try identities(of: author, for: account)
      let total = try count(by: authors, for: account)
      var posts: [StoredPost] = []
      if total > 0 {
        for author in authors { posts += try self.posts(.authorPage, author.rawValue, account, key, limit) }
      }
      if authors.count > 1 { posts.sort { $0.orderKey > $1.orderKey } }
      return try page(posts, limit, total: total)
    }
  }

  /// How many entries the authors have that `account` may see.
  func count(by authors: [AuthorID], for account: AccountID) throws(StoreError) -> Int {
    let statement = try connection.statement(.authorCount)
    var count = 0
    for author in authors {
      defer { statement.reset() }
      statement.bind(1, author.rawValue)
      statement.bind(2, account.rawValue)
      if try statement.step() { count += Int(statement.integer(0)) }
    }
    return count
  }

  /// How much is newer in a section than what the account has seen of it; counted up to ``StoreLimits/unseen``.
  public func unseen(_ section: SeenSection, of account: AccountID) throws(StoreError) -> Int {
    try unseen(section, of: account, since: try seen(section, of: account))
  }

  /// How much is newer in a section than an entry, or all of it; counted up to ``StoreLimits/unseen``.
  public func unseen(_ section: SeenSection, of account: AccountID, since seen: OrderKey?) throws(StoreError) -> Int {
    guard let list = try number(of: section.list(of: account), for: account) else { return 0 }
    let quiet = section == .messages ? Quiet() : try quiet(of: account)
    guard quiet.isEmpty else { return try unseen(list, account, since: seen, QuietMatcher(quiet)) }
    let statement = try connection.statement(.unseen)
    defer { statement.reset() }
    statement.bind(1, list)
    statement.bind(2, seen?.createdAt.milliseconds ?? .min)
    statement.bind(3, seen?.id.rawValue ?? .min)
    statement.bind(4, Int64(StoreLimits.unseen))
    var count = 0
    while try statement.step() { count += 1 }
    return count
  }

  /// The same without what is hidden. With it no more than ``StoreLimits/unseenLookedAt`` entries are looked at.
  private func unseen(
    _ list: Int64, _ account: AccountID, since seen: OrderKey?, _ hidden: QuietMatcher
  ) throws(StoreError) -> Int {
    var hidden = hidden
    var (count, looked) = (0, 0)
    var last: OrderKey?
    while looked < StoreLimits.unseenLookedAt {
      let posts = try posts(.page, list, account, last, 255)
      for post in posts {
        if seen.map({ post.orderKey <= $0 }) ?? false { return count }
        if !hidden.hides(post) { count += 1 }
        if count == StoreLimits.unseen { return count }
      }
      looked += posts.count
      guard posts.count == 256, let oldest = posts.last else { return count }
      last = oldest.orderKey
    }
    return count
  }

  /// The newest entry of a section that the account has seen; nil for none.
  public func seen(_ section: SeenSection, of account: AccountID) throws(StoreError) -> OrderKey? {
    let statement = try connection.statement(.seen)
    defer { statement.reset() }
    statement.bind(1, account.rawValue)
    statement.bind(2, section.rawValue)
    return try statement.step() ? OrderKey(row: statement) : nil
  }

  // MARK: Pieces of it

  /// The column `lists.id` of a list that `account` may read.
  func number(of list: ListName, for account: AccountID) throws(StoreError) -> Int64? {
    switch list {
    case .home(let reader): reader == account ? try number(.home, account) : nil
    case .mentions(let reader): reader == account ? try number(.mentions, account) : nil
    case .messages(let reader): reader == account ? try number(.messages, account) : nil
    case .direct(let circle): try find(.directList, circle.rawValue, account)
    case .made(let reader, let list): reader == account ? try find(.madeListNumber, list.rawValue, account) : nil
    }
  }

  /// The column `lists.id` of one of the lists that every account has.
  func number(_ kind: ListKind, _ account: AccountID) throws(StoreError) -> Int64? {
    try find(.listOfAccount, kind.rawValue, account)
  }

  private func find(_ query: Query, _ number: Int64, _ account: AccountID) throws(StoreError) -> Int64? {
    let statement = try connection.statement(query)
    defer { statement.reset() }
    statement.bind(1, number)
    statement.bind(2, account.rawValue)
    return try statement.step() ? statement.integer(0) : nil
  }

  private func entryCount(of list: Int64) throws(StoreError) -> Int {
    let statement = try connection.statement(.listCount)
    defer { statement.reset() }
    statement.bind(1, list)
    return try statement.step() ? Int(statement.integer(0)) : 0
  }

  /// One more than `limit`, so that it is known whether there are more.
  private func posts(
    _ query: Query, _ number: Int64, _ account: AccountID, _ key: OrderKey?, _ limit: Int
  ) throws(StoreError) -> [StoredPost] {
    let statement = try connection.statement(query)
    defer { statement.reset() }
    statement.bind(1, number)
    statement.bind(2, account.rawValue)
    statement.bind(3, key?.createdAt.milliseconds ?? .max)
    statement.bind(4, key?.id.rawValue ?? .max)
    statement.bind(5, Int64(min(max(limit, 0), .max - 1)) + 1)
    return try posts(statement)
  }

  /// A page of what was found, one post more than `limit` if there are more.
  func page(_ found: [StoredPost], _ limit: Int, total: Int) throws(StoreError) -> PostPage {
    let posts = Array(found.prefix(max(limit, 0)))
    return PostPage(
      posts: posts, authors: try authors(of: posts), members: try members(of: posts), total: total,
      isLast: posts.count == found.count)
  }
}
