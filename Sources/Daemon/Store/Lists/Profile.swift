public import Posts

/// An author, and what an account has to do with them.
public struct Profile: Equatable, Sendable {
  public var author: Author
  /// The authors whose posts the profile shows: the author alone or, for an account that looks at itself, all that it
  /// is.
  public var identities: [AuthorID]
  /// The account of this daemon that the author is; nil for one that came with an import.
  public var account: Account?
  /// How many entries of theirs the account may see, reposts among them.
  public var posts: Int
  /// How many accounts of this daemon follow them.
  public var followers: Int
  /// How many authors they follow; 0 for one that came with an import.
  public var following: Int
  /// The account follows them.
  public var isFollowed: Bool
  /// They follow the account.
  public var followsMe: Bool
  /// The account has muted them.
  public var isMuted: Bool
  /// The account has blocked them.
  public var isBlocked: Bool
  /// They are the account, by this name or another.
  public var isMe: Bool
}
