public import Posts
public import ViewState

/// Facts about a list other than its posts.
public enum ListFacts: Equatable, Sendable {
  /// Facts about the author of a profile.
  case profile(ProfileFacts)
  /// A list that the account created.
  case made(MadeListFacts)
  /// The other participants of a direct conversation, in display order, and the names of those who are no authors here.
  case direct([AuthorID], unknown: [SafeText] = [])
  /// The section of lists: the lists that the account created, in display order, and the account's author.
  case lists([MadeListFacts], AuthorID)
}

/// A list that an account created.
public struct MadeListFacts: Equatable, Sendable {
  public var id: ListID
  public var name: SafeText
  /// Number of authors in the list.
  public var authorCount: Int

  public init(id: ListID, name: SafeText, authorCount: Int) {
    self.id = id
    self.name = name
    self.authorCount = authorCount
  }
}

/// The author of a profile, and how an account relates to them.
public struct ProfileFacts: Equatable, Sendable {
  /// The author whose profile it is; for the account's own profile, its local author.
  public var author: AuthorID
  /// The authors whose posts it contains: that author, or all identities of the account.
  public var authors: Set<AuthorID>
  /// Number of this daemon's accounts that follow them.
  public var followers = 0
  /// Number of authors that they follow.
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
  /// Their line about themselves; may be empty.
  public var about = SafeText.empty

  /// Facts about an author without any follows.
  public init(author: AuthorID, authors: Set<AuthorID>) {
    self.author = author
    self.authors = authors
  }
}

extension ProfileSummary {
  /// The summary of a profile with this many posts.
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
    about = facts.about.utf8
  }
}

/// The new entries of an account's sections: those that it has not seen.
public struct NavigationFacts: Equatable, Sendable {
  /// The unseen entries of a section.
  public struct News: Equatable, Sendable {
    /// The newest seen entry; nil if none was seen.
    public var seen: OrderKey?
    /// Number of newer entries, counted up to ``NavigationFacts/most``.
    public var count = 0

    public init(seen: OrderKey?, count: Int) {
      self.seen = seen
      self.count = count
    }
  }

  /// Highest number of new entries that is counted.
  public static let most = 1_000

  /// The account's author.
  public var author: AuthorID
  /// Sections that are missing here have nothing new.
  public var news: [SeenSection: News] = [:]
  /// The account's mutes. Muted posts are not counted.
  public var muteList = MuteList()

  /// Facts with nothing new.
  public init(author: AuthorID) { self.author = author }
}
