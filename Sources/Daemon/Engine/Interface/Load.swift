public import Posts

/// A read from the store.
public enum Load: Equatable, Sendable {
  /// At most `limit` posts of a list that are older than `before`, newest first.
  case page(ListKey, before: OrderKey?, limit: Int)
  /// The conversation around a post, as far as it is visible to the account.
  case conversation(AccountID, reference: String)
  /// The facts about a list: see ``ListKey/hasFacts``.
  case facts(ListKey)
  /// The counts of new entries in an account's sections: those newer than the later of `seen` and the store's own
  /// record.
  case navigation(AccountID, seen: [SeenSection: OrderKey])
  /// One post, if it is visible to the account.
  case post(AccountID, reference: String)
  /// A saved session of an account, by name.
  case session(AccountID, String)
  /// The content that a command names, if it is visible to the account. Conversations are loaded with `conversation`
  /// instead.
  case pane(AccountID, StackCommand.Subject)
  /// All saved sessions of an account.
  case sessions(AccountID)
}

extension Load {
  /// The account that the load is for; nil if it is for a client that is not signed in.
  public var requester: AccountID? {
    switch self {
    case .page(let key, _, _), .facts(let key): key.account
    case .conversation(let account, _), .post(let account, _), .navigation(let account, _): account
    case .pane(let account, _), .sessions(let account), .session(let account, _): account
    }
  }

  /// The account whose visibility limits what is read; nil for loads of anything but posts.
  var account: AccountID? {
    switch self {
    case .page(let key, _, _), .facts(let key): key.account
    case .conversation(let account, _), .post(let account, _), .navigation(let account, _): account
    case .session, .sessions, .pane: nil
    }
  }
}

/// A page of a list.
public struct ListPage: Sendable {
  /// Newest first.
  public var posts: [StoredPost]
  /// All authors that the posts refer to.
  public var authors: [Author]
  /// The page was read at this revision or later.
  public var revision: UInt64
  /// Number of entries in the whole list.
  public var total: Int
  /// True if the list has no entry older than the page.
  public var isLast: Bool
  /// The account's mutes as of ``revision``; only in the newest page.
  public var muteList: MuteList?
  /// All gaps of the account, newest first; only in the newest page of a timeline.
  public var gaps: [Gap]?
  /// All requests to follow the account, newest first; only in the newest page of mentions.
  public var followRequests: [PendingFollow]?

  public init(
    posts: [StoredPost], authors: [Author], revision: UInt64, total: Int, isLast: Bool, muteList: MuteList? = nil,
    gaps: [Gap]? = nil, followRequests: [PendingFollow]? = nil
  ) {
    self.posts = posts
    self.authors = authors
    self.revision = revision
    self.total = total
    self.isLast = isLast
    self.muteList = muteList
    self.gaps = gaps
    self.followRequests = followRequests
  }
}

/// A saved session with its scroll and reading positions.
public struct LoadedSession: Sendable {
  /// ``PaneStack/encoded``; nil if the store has no such session.
  public var bytes: [UInt8]?
  /// The revision of its last change.
  public var revision: UInt64
  /// Scroll and reading positions; nil if none were saved.
  public var places: [UInt8]?
  /// The revision at which these were saved.
  public var placesRevision: UInt64
  /// Number of stored sessions of its account.
  public var sessionCount: Int

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

/// The result of a load.
public enum LoadResult: Sendable {
  case page(ListPage)
  /// A conversation, oldest post first, read at `revision` or later; `subject` is the post it is about.
  case conversation(subject: PostID, posts: [StoredPost], authors: [Author], revision: UInt64)
  /// One post.
  case post(StoredPost, authors: [Author], revision: UInt64)
  /// The facts about a list, with every author that they name.
  case facts(ListFacts, authors: [Author], revision: UInt64)
  /// The unseen entries of an account, and its author, exactly as of `revision`.
  case navigation(NavigationFacts, Author, revision: UInt64)
  case session(LoadedSession)
  /// The content that a command named.
  case pane(PaneContent)
  /// All saved sessions of an account, sorted by name.
  case sessions([StoredSession])
  /// The load failed with this error.
  case failed(EngineError)
}

extension LoadResult {
  /// A revision that the result is at least as new as; nil if that does not matter.
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
