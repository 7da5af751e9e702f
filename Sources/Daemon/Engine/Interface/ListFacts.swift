public import Posts
public import ViewState

/// What is known of a list beside its posts.
public enum ListFacts: Equatable, Sendable {
  /// Of a profile.
  case profile(ProfileFacts)
  /// Of a list that an account made.
  case made(MadeListFacts)
  /// Of a direct conversation: its other people, in the order in which they are told.
  case direct([AuthorID])
  /// Of the section of lists: those that the account made, in that order, and the account's author.
  case lists([MadeListFacts], AuthorID)
}

/// A list that an account made.
public struct MadeListFacts: Equatable, Sendable {
  public var id: ListID
  public var name: SafeText
  /// Authors in it.
  public var authorCount: Int

  /// Puts the parts together.
  public init(id: ListID, name: SafeText, authorCount: Int) {
    self.id = id
    self.name = name
    self.authorCount = authorCount
  }
}

/// Who a profile is of, and what an account has to do with them.
public struct ProfileFacts: Equatable, Sendable {
  /// Who it is of; in the account's own profile, its author here.
  public var author: AuthorID
  /// Whose posts it has: the author, or all whom the account is.
  public var authors: Set<AuthorID>
  /// Accounts of the daemon that follow them.
  public var followers = 0
  /// Authors that they follow.
  public var following = 0
  /// The account follows them.
  public var isFollowed = false
  /// They follow the account.
  public var followsMe = false
  /// They are the account.
  public var isMe = false
  /// The account has muted them.
  public var isMuted = false
  /// The account has blocked them.
  public var isBlocked = false

  /// An author without follows.
  public init(author: AuthorID, authors: Set<AuthorID>) {
    self.author = author
    self.authors = authors
  }
}

extension ProfileSummary {
  /// What is told of them, whose posts these many are.
  public init(author: RowAuthor, posts: Int, _ facts: ProfileFacts) {
    self.init(author: author)
    self.posts = posts
    followers = facts.followers
    following = facts.following
    isFollowed = facts.isFollowed
    followsMe = facts.followsMe
    isMe = facts.isMe
    isMuted = facts.isMuted
    isBlocked = facts.isBlocked
  }
}

/// How much is in the sections of an account that it has not seen.
public struct NavigationFacts: Equatable, Sendable {
  /// What is new in a section.
  public struct News: Equatable, Sendable {
    /// The newest entry that was seen; nil for none.
    public var seen: OrderKey?
    /// Entries newer than that, counted up to ``NavigationFacts/most``.
    public var count = 0

    /// Puts the parts together.
    public init(seen: OrderKey?, count: Int) {
      self.seen = seen
      self.count = count
    }
  }

  /// Entries are counted up to this.
  public static let most = 1_000

  /// The account's author.
  public var author: AuthorID
  /// A section that is not named has nothing new.
  public var news: [SeenSection: News] = [:]
  /// What the account does not want to see; none of that is counted.
  public var quiet = Quiet()

  /// Nothing new.
  public init(author: AuthorID) { self.author = author }
}
