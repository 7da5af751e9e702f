public import Posts

/// A list that an account made.
public struct MadeList: Equatable, Sendable {
  public var id: ListID
  /// Unique among the account's lists; 1 to ``StoreLimits/listNameBytes`` bytes.
  public var name: SafeText
  /// How many authors are in it.
  public var authorCount: Int
  /// How many posts of theirs the account may see.
  public var postCount: Int
}
