public import Posts

/// A list that an account made.
public struct MadeList: Equatable, Sendable {
  public var id: ListID
  /// Unique among the account's lists; 1 to ``StoreLimits/listNameBytes`` bytes.
  public var name: SafeText
  /// Number of authors in it.
  public var authorCount: Int
  /// Number of their posts that the account may see.
  public var postCount: Int
}
