public import Posts

/// A page of a list, read from one state of the store.
public struct PostPage: Equatable, Sendable {
  /// Newest first, by ``OrderKey``.
  public var posts: [StoredPost]
  /// The authors and reposters of the posts.
  public var authors: [Author]
  /// The members of their audience groups.
  public var members: Members
  /// Number of posts in the whole list.
  public var total: Int
  /// True if the list has no older posts.
  public var isLast: Bool
}
