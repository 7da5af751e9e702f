/// A list of posts that the store keeps filled.
public enum ListName: Hashable, Sendable {
  /// An account's own and imported posts, and those of the authors it follows.
  case home(AccountID)
  /// Posts by others that mention an account or reply to it.
  case mentions(AccountID)
  /// The newest post of each of an account's direct conversations.
  case messages(AccountID)
  /// All posts of a direct conversation; its participants share one list.
  case direct(AudienceGroupID)
  /// The posts of the authors that an account added to one of its lists.
  case made(AccountID, ListID)
}

/// The store's number of a list that an account made; never reused.
public struct ListID: Hashable, Sendable {
  public let rawValue: Int64
  public init(_ rawValue: Int64) { self.rawValue = rawValue }
}
