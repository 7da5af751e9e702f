public import Posts

/// A piece of a list, read at once: all of it is of one state of the store.
public struct PostPage: Equatable, Sendable {
  /// Newest first, by ``OrderKey``.
  public var posts: [StoredPost]
  /// Everybody who wrote or reposted one of them.
  public var authors: [Author]
  /// Who is in the circles that they are for.
  public var members: Members
  /// How many posts the whole list has.
  public var total: Int
  /// Whether the list has none that is older.
  public var isLast: Bool
}
