/// A list of posts that the store keeps filled.
public enum ListName: Hashable, Sendable {
  /// An account's own posts, what it imported, and what the authors it follows write.
  case home(AccountID)
  /// Posts of others that name an account or answer it.
  case mentions(AccountID)
  /// The newest post of each of an account's direct conversations.
  case messages(AccountID)
  /// All posts of a direct conversation: one list for all its people.
  case direct(CircleID)
  /// The posts of the authors that an account put into a list of its own.
  case made(AccountID, ListID)
}

/// The store's number of a list that an account made; never given twice.
public struct ListID: Hashable, Sendable {
  public let rawValue: Int64
  public init(_ rawValue: Int64) { self.rawValue = rawValue }
}
