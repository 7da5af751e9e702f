internal import Posts

/// Twins: posts of different feeds that have the same link and are at most 7 days apart. A timeline or made list has
/// one of them, that which came into it first; each is in the profile of its feed (docs/adr/0036).
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
    guard try hasTwins(row.author) else { return false }
    return try setLink(of: row.id, row.body)
  }

  /// Records the links of all posts of a feed, or that they have none.
  func setLinks(of feed: AuthorID, areKept: Bool) throws(StoreError) {
    guard areKept else { return try connection.run(TwinQuery.deleteLinksOfAuthor, feed) }
    for (id, body) in try connection.rows(
      TwinQuery.bodies, feed, read: { (PostID($0.integer(0)), PackedBody(trusted: $0.bytes(1))) })
    { _ = try setLink(of: id, body) }
  }

  private func setLink(of id: PostID, _ body: PackedBody) throws(StoreError) -> Bool {
    let former = try connection.number(TwinQuery.link, id)
    guard let link = body.unpacked()?.permalink, !link.isEmpty else {
      if former != nil { try deleteLink(of: id) }
      return former != nil
    }
    let hash = link.utf8.reduce(into: UInt64(0xCBF2_9CE4_8422_2325)) { $0 = ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    let number = Int64(bitPattern: hash)
    guard former != number else { return false }
    try connection.run(TwinQuery.saveLink, id, number)
    return true
  }

  /// Forgets the link of a post that is about to be deleted.
  func deleteLink(of post: PostID) throws(StoreError) { try connection.run(TwinQuery.deleteLink, post) }

  /// Returns the twins of a post.
  func twins(of post: PostID, by author: AuthorID) throws(StoreError) -> [PostID] {
    guard try hasTwins(author) else { return [] }
    return try connection.rows(TwinQuery.ofPost, post) { PostID($0.integer(0)) }
  }

  /// Returns the posts of an author that have twins, each with one of them, ordered by time.
  func pairs(of author: AuthorID) throws(StoreError) -> [(own: PostID, twin: PostID)] {
    guard try hasTwins(author) else { return [] }
    return try connection.rows(TwinQuery.ofAuthor, author) { (PostID($0.integer(0)), PostID($0.integer(1))) }
  }

  /// Returns true if a list has a twin of a post.
  func isTwin(of post: PostID, in list: Int64) throws(StoreError) -> Bool {
    try connection.hasRow(TwinQuery.inList, post, list)
  }

  private func hasTwins(_ author: AuthorID) throws(StoreError) -> Bool {
    guard try feedAuthors.contains(author) else { return false }
    return try connection.hasRow(TwinQuery.isShownOnce, author)
  }
}
