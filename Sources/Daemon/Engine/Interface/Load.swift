public import Posts

/// What to read from the store.
public enum Load: Equatable, Sendable {
  /// Posts of a list before `before`, newest first, at most `limit`.
  case page(ListKey, before: OrderKey?, limit: Int)
  /// The conversation around a post, as the account may see it.
  case conversation(AccountID, reference: String)
  /// What is known of a list beside its posts: see ``ListKey/hasFacts``.
  case facts(ListKey)
  /// How much is newer in the sections of an account than what it has seen: the later one of what the store knows of
  /// and of `seen`.
  case navigation(AccountID, seen: [SeenSection: OrderKey])
  /// One post, as the account may see it.
  case post(AccountID, reference: String)
  /// A saved session.
  case session(SessionKey)
  /// What a command names, as the account may see it; conversations are loaded as such.
  case pane(AccountID, StackCommand.Subject)
  /// All saved sessions of an account.
  case sessions(AccountID)
}

extension Load {
  /// Whose sight limits what is read; nil for what is no post.
  var account: AccountID? {
    switch self {
    case .page(let key, _, _), .facts(let key): key.account
    case .conversation(let account, _), .post(let account, _), .navigation(let account, _): account
    case .session, .sessions, .pane: nil
    }
  }
}

/// A slice of a list.
public struct ListPage: Sendable {
  /// Newest first.
  public var posts: [StoredPost]
  /// Everybody whom the posts name.
  public var authors: [Author]
  /// It was read at this revision, or later.
  public var revision: UInt64
  /// Entries of the whole list.
  public var total: Int
  /// None is older than the slice.
  public var isLast: Bool
  /// With the newest slice, what the account has muted as of ``revision``.
  public var quiet: Quiet?
  /// With the newest slice of a timeline, all gaps of its account, the newest first.
  public var gaps: [Gap]?

  /// Puts the parts together.
  public init(
    posts: [StoredPost], authors: [Author], revision: UInt64, total: Int, isLast: Bool, quiet: Quiet? = nil,
    gaps: [Gap]? = nil
  ) {
    self.posts = posts
    self.authors = authors
    self.revision = revision
    self.total = total
    self.isLast = isLast
    self.quiet = quiet
    self.gaps = gaps
  }
}

/// A session as it was saved, and where it was last looked at.
public struct LoadedSession: Sendable {
  /// ``PaneStack/encoded``; nil where the store has no such session.
  public var bytes: [UInt8]?
  /// Of its last change.
  public var revision: UInt64
  /// Nil where that was not saved.
  public var places: [UInt8]?
  /// The revision at which the places were saved.
  public var placesRevision: UInt64
  /// Sessions of its account.
  public var sessionCount: Int

  /// Puts the parts together.
  public init(
    bytes: [UInt8]?, revision: UInt64, places: [UInt8]? = nil, placesRevision: UInt64 = 0, sessionCount: Int = 0
  ) {
    self.bytes = bytes
    self.revision = revision
    self.places = places
    self.placesRevision = placesRevision
    self.sessionCount = sessionCount
  }
}

/// What a load brought.
public enum LoadResult: Sendable {
  case page(ListPage)
  /// A conversation, oldest first, read at `revision` or later; `subject` is the post it is about.
  case conversation(subject: PostID, posts: [StoredPost], authors: [Author], revision: UInt64)
  /// One post.
  case post(StoredPost, authors: [Author], revision: UInt64)
  /// What is known of a list beside its posts, with every author it names.
  case facts(ListFacts, authors: [Author], revision: UInt64)
  /// How much an account has not seen, and its author. Exactly as of `revision`.
  case navigation(NavigationFacts, Author, revision: UInt64)
  case session(LoadedSession)
  /// What a command named, as the account may see it.
  case pane(PaneContent)
  /// All saved sessions of an account, by name.
  case sessions([StoredSession])
  /// Nothing, and why.
  case failed(EngineError)
}

extension LoadResult {
  /// The revision it was read at, or before; nil where that does not matter.
  var revision: UInt64? {
    switch self {
    case .page(let page): page.revision
    case .conversation(_, _, _, let revision), .post(_, _, let revision),
      .facts(_, _, let revision),
      .navigation(_, _, let revision):
      revision
    case .session, .sessions, .pane, .failed: nil
    }
  }
}
