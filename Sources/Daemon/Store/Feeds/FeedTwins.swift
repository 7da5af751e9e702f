internal import Posts
internal import Search

/// Twins: posts of different feeds that have the same link and are at most 7 days apart. One hides the other in a
/// timeline or made list that it came into first, if its feed may speak for the link (``FeedLink``); each is in the
/// profile of its feed (docs/adr/0036).
///
/// Their links are kept as hashes. A feed that is to be shown twice has none here.
final class FeedTwins {
  private let connection: Connection
  private let feedAuthors: FeedAuthors

  init(_ connection: Connection, _ feedAuthors: FeedAuthors) {
    (self.connection, self.feedAuthors) = (connection, feedAuthors)
  }

  /// Records the link of a row that was written. Returns true if it is not the one that was known.
  func setLink(of row: PostRow) throws(StoreError) -> Bool {
    guard let url = try url(of: row.author) else { return false }
    return try setLink(of: row.id, FeedLink(of: row.body, called: row.name.nativeID, in: url))
  }

  /// Records the links of all posts of a feed, or that they have none.
  func setLinks(of feed: StoredFeed, areKept: Bool) throws(StoreError) {
    guard areKept else { return try connection.run(TwinQuery.deleteLinksOfAuthor, feed.author) }
    let posts = try connection.rows(TwinQuery.bodies, feed.author) {
      (PostID($0.integer(0)), FeedLink(of: PackedBody(trusted: $0.bytes(1)), called: $0.text(2), in: feed.url))
    }
    for (id, link) in posts { _ = try setLink(of: id, link) }
  }

  private func setLink(of id: PostID, _ link: FeedLink?) throws(StoreError) -> Bool {
    let former = try connection.first(TwinQuery.link, id) {
      FeedLink(link: $0.integer(0), isOwn: $0.integer(1) != 0, item: $0.integer(2))
    }
    guard former != link else { return false }
    if let link {
      try connection.run(TwinQuery.saveLink, id, link.link, link.isOwn, link.item)
    } else {
      try deleteLink(of: id)
    }
    return true
  }

  /// Forgets the link of a post that is about to be deleted.
  func deleteLink(of post: PostID) throws(StoreError) { try connection.run(TwinQuery.deleteLink, post) }

  /// Returns the twins of a post, whichever hides the other; first those whose link is of their feed's own host.
  func twins(of post: PostID, by author: AuthorID) throws(StoreError) -> [PostID] {
    guard try url(of: author) != nil else { return [] }
    let twins = try connection.rows(TwinQuery.ofPost, post) { (id: PostID($0.integer(0)), isOwn: $0.integer(1) != 0) }
    return (twins.filter { $0.isOwn } + twins.filter { !$0.isOwn }).map { $0.id }
  }

  /// Returns the posts of an author that have twins, each with one of them, ordered by time.
  func pairs(of author: AuthorID) throws(StoreError) -> [(own: PostID, twin: PostID)] {
    guard try url(of: author) != nil else { return [] }
    return try connection.rows(TwinQuery.ofAuthor, author) { (PostID($0.integer(0)), PostID($0.integer(1))) }
  }

  /// Returns true if a twin in a list may hide a post there.
  func isHidden(_ post: PostID, in list: Int64) throws(StoreError) -> Bool {
    try connection.hasRow(TwinQuery.hides, post, list)
  }

  /// Returns true if a list has a twin of a post, and each may hide the other.
  func isRivalled(_ post: PostID, in list: Int64) throws(StoreError) -> Bool {
    try connection.hasRow(TwinQuery.hidesEach, post, list)
  }

  /// Returns the address of the feed that an author is; nil for other authors, and for a feed that is shown twice.
  private func url(of author: AuthorID) throws(StoreError) -> String? {
    guard try feedAuthors.contains(author) else { return nil }
    return try connection.first(TwinQuery.urlIfShownOnce, author) { $0.text(0) }
  }
}

/// The link of a feed's post, as far as it decides what the post hides: posts with the same link, if the link is of its
/// feed's own host, or if they have the same ID in a feed of the same host. So nobody's posts are hidden by another
/// site that publishes their links.
struct FeedLink: Equatable {
  /// The hash of the link.
  var link: Int64
  /// True if the link is of the feed's own host.
  var isOwn: Bool
  /// The hash of the feed's host and of the post's ID in the feed.
  var item: Int64
}

extension FeedLink {
  /// The link of a post that is called `name`, as in `f7/guid`, in the feed at `url`; nil if it has none.
  init?(of body: PackedBody, called name: String, in url: String) {
    guard let permalink = body.unpacked()?.permalink, !permalink.isEmpty else { return nil }
    let host = Self.host(of: url)
    link = Self.hash(permalink.string)
    isOwn = !host.isEmpty && Self.host(of: permalink.string) == host
    item = Self.hash("\(host)\(name.drop { $0 != "/" })")
  }

  private static func hash(_ text: String) -> Int64 { Int64(bitPattern: fnv1a(Array(text.utf8))) }

  /// The host of a URL, without a user and without the "www." that many sites answer to as well.
  private static func host(of url: String) -> Substring {
    let host = WebAddress(url).host
    let name = host[(host.lastIndex(of: "@").map(host.index(after:)) ?? host.startIndex)...]
    return name.hasPrefix("www.") ? name.dropFirst(4) : name
  }
}
