internal import Posts

/// The authors that are feeds, cached across the writer's transactions: what they post is in a timeline only if they
/// are followed.
final class FeedAuthors {
  private let connection: Connection
  private var known: Set<AuthorID>?

  init(_ connection: Connection) { self.connection = connection }

  /// Returns true if an author is a feed.
  func contains(_ author: AuthorID) throws(StoreError) -> Bool {
    if let known { return known.contains(author) }
    let authors = Set(try connection.rows(FeedQuery.authors) { AuthorID($0.integer(0)) })
    known = authors
    return authors.contains(author)
  }

  /// Drops the cached authors.
  func forget() { known = nil }
}
