public import Posts

/// Something that an account wants of a source elsewhere, with the post that it is about.
public struct WantedElsewhere: Equatable, Sendable {
  /// What is wanted, and how that stands.
  public var entry: OutboxEntry
  /// The number of the post.
  public var id: PostID
  /// The post; nil where the account may not see it any more. One that it wants deleted it sees here and nowhere else.
  public var post: StoredPost?
  /// The name of the source.
  public var source: String
}
