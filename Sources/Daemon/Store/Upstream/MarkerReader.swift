internal import Dates
internal import Posts

/// Places in the lists of accounts, for reading positions at sources.
struct MarkerReader {
  /// Maximum number of posts that a program is told of, and of their names.
  private static let postLimit = 8
  private static let nameLimit = 64

  private let connection: Connection

  init(_ connection: Connection) { self.connection = connection }

  /// Returns the newest post of a list of an account that is not above a place; nil if there is none.
  func newest(of list: UpstreamLists, notAbove place: OrderKey, for account: AccountID) throws(StoreError) -> PostID? {
    try connection.number(MarkerQuery.newest, list.kind, account, place.createdAt, place.id).map { PostID($0) }
  }

  /// Returns the names of the newest posts of a source in a list of an account that are not above `top`, but above
  /// `bottom`: of each its ID, then its other names.
  func names(
    of list: UpstreamLists, at source: String, for account: AccountID, notAbove top: OrderKey, above bottom: OrderKey
  ) throws(StoreError) -> [String] {
    guard let number = try connection.number(SourceQuery.find, source) else { return [] }
    let posts = try connection.rows(
      MarkerQuery.posts, list.kind, account, top.createdAt, top.id, bottom.createdAt, bottom.id, number, Self.postLimit
    ) {
      (id: PostID($0.integer(0)), name: $0.text(1))
    }
    var names: [String] = []
    for post in posts { names += [post.name] + (try OutboxReader(connection).aliases(of: post.id, in: number)) }
    return Array(names.prefix(Self.nameLimit))
  }
}

extension UpstreamLists {
  fileprivate var kind: ListKind { self == .home ? .home : .mentions }
}

/// SQL about reading positions at sources.
enum MarkerQuery {
  private static let entries =
    """
    FROM lists l CROSS JOIN entries e ON e.list_id = l.id AND (e.created_at, e.post_id) <= (?3, ?4)
    """
  private static let ofAccount = "l.kind = ?1 AND l.account_id = ?2 AND l.name = ''"
  static let newest = Query(
    "SELECT e.post_id \(entries) WHERE \(ofAccount) ORDER BY e.created_at DESC, e.post_id DESC LIMIT 1")
  static let posts = Query(
    """
    SELECT p.id, p.native_id \(entries) AND (e.created_at, e.post_id) > (?5, ?6)
    CROSS JOIN posts p ON p.id = e.post_id AND p.source_id = ?7
    WHERE \(ofAccount) ORDER BY e.created_at DESC, e.post_id DESC LIMIT ?8
    """)

  static let queries = [newest, posts]
}
