public import Posts

/// An author's profile as an account sees it.
public struct Profile: Equatable, Sendable {
  public var author: Author
  /// The authors whose posts the profile shows: the author alone or, in an account's own profile, all its identities.
  public var identities: [AuthorID]
  /// The account's line about itself; empty for an imported author.
  public var about: SafeText { account?.about ?? .empty }
  /// The account that writes as this author; nil for an imported author.
  public var account: Account?
  /// Number of their entries that the account may see, including reposts.
  public var posts: Int
  /// Number of accounts of this daemon that follow them.
  public var followers: Int
  /// Number of authors they follow; 0 for an imported author.
  public var following: Int
  /// True if the account follows them.
  public var isFollowed: Bool
  /// True if they follow the account.
  public var followsMe: Bool
  /// True if the account has muted them.
  public var isMuted: Bool
  /// True if the account has blocked them.
  public var isBlocked: Bool
  /// True if the author is one of the account's identities.
  public var isMe: Bool
}
