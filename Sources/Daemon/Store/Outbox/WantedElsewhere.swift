public import Posts

/// An action of an account that waits for its source, with the post it is about.
public struct WantedElsewhere: Equatable, Sendable {
  /// The action and its delivery state.
  public var entry: OutboxEntry
  /// The post's ID.
  public var id: PostID
  /// The post; nil if the account may not see it any more. A post that the account is deleting is visible here only.
  public var post: StoredPost?
  /// The name of the source.
  public var source: String
}
