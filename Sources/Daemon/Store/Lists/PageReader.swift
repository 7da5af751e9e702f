internal import Dates
internal import Posts

/// Reads lists of posts a page at a time.
struct PageReader {
  private let connection: Connection
  private let lists: ListReader

  init(_ connection: Connection) {
    self.connection = connection
    lists = ListReader(connection)
  }

  /// See ``StoreReader/page(of:for:before:limit:)``.
  func page(of list: ListName, for account: AccountID, before key: OrderKey?, limit: Int) throws(StoreError)
    -> PostPage?
  {
    try connection.snapshot { () throws(StoreError) in
      guard let number = try lists.number(of: list, for: account) else { return nil }
      let posts = try posts(of: number, for: account, before: key, limit: limit)
      return try page(posts, limit, total: try lists.entryCount(of: number))
    }
  }

  /// See ``StoreReader/count(of:for:)``.
  func count(of list: ListName, for account: AccountID) throws(StoreError) -> Int {
    guard let number = try lists.number(of: list, for: account) else { return 0 }
    return try lists.entryCount(of: number)
  }

  /// See ``StoreReader/page(by:for:before:limit:)``.
  func page(by author: AuthorID, for account: AccountID, before key: OrderKey?, limit: Int) throws(StoreError)
    -> PostPage?
  {
    try connection.snapshot { () throws(StoreError) in
      guard try AuthorReader(connection).isKnown(author, to: account) else { return nil }
      let authors = try identities(of: author, for: account)
      let total = try count(by: authors, for: account)
      var posts: [StoredPost] = []
      if total > 0 {
        for author in authors { posts += try self.posts(PageQuery.ofAuthor, author.rawValue, account, key, limit) }
      }
      if authors.count > 1 { posts.sort { $0.orderKey > $1.orderKey } }
      return try page(posts, limit, total: total)
    }
  }

  /// Returns the number of entries by `authors` that `account` may see.
  func count(by authors: [AuthorID], for account: AccountID) throws(StoreError) -> Int {
    var count = 0
    for author in authors { count += try connection.count(TallyQuery.posts, author, account) }
    return count
  }

  /// Returns the authors whose posts `account` sees in the profile of `author`.
  func identities(of author: AuthorID, for account: AccountID) throws(StoreError) -> [AuthorID] {
    guard try AccountReader(connection).account(writingAs: author)?.id == account else { return [author] }
    return try AuthorReader(connection).identities(of: account)
  }

  /// Returns a page of the posts found, which include one more than `limit` if there are more.
  func page(_ found: [StoredPost], _ limit: Int, total: Int) throws(StoreError) -> PostPage {
    let posts = Array(found.prefix(max(limit, 0)))
    return PostPage(
      posts: posts, authors: try AuthorReader(connection).authors(of: posts),
      members: try AudienceGroupReader(connection).members(of: posts), total: total, isLast: posts.count == found.count)
  }

  /// Returns the posts of a list, by the column `lists.id`: one more than `limit` if there are more.
  func posts(
    of list: Int64, for account: AccountID, before key: OrderKey?, limit: Int
  ) throws(StoreError) -> [StoredPost] {
    try posts(PageQuery.ofList, list, account, key, limit)
  }

  private func posts(
    _ query: Query, _ number: Int64, _ account: AccountID, _ key: OrderKey?, _ limit: Int
  ) throws(StoreError) -> [StoredPost] {
    try connection.rows(
      query, number, account, key?.createdAt.milliseconds ?? .max, key?.id.rawValue ?? .max,
      min(max(limit, 0), .max - 1) + 1, read: StoredPost.init(row:))
  }
}
