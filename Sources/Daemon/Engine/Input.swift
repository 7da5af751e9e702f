public import Dates
public import Posts
public import Search
public import ViewState

/// One attached client.
public struct ViewID: Hashable, Sendable {
  public let rawValue: UInt64
  public init(_ rawValue: UInt64) { self.rawValue = rawValue }
}

/// A call that waits for an answer; chosen by the shell, handed back with the answer.
public struct RequestToken: Hashable, Sendable {
  public let rawValue: UInt64
  public init(_ rawValue: UInt64) { self.rawValue = rawValue }
}

/// A session of an account, or what stands in for one where views name what they show.
public struct SessionKey: Hashable, Sendable {
  public var account: AccountID
  /// Empty where there is a content.
  public var name: String
  /// What a passing session shows: one that views have among them which show the same and are attached to no other. It
  /// has no name that a command could call it by, is never stored, and goes with the last of the views. Nil for one
  /// that has a name.
  public let content: PaneContent?

  /// The session `name` of `account`; an empty name is "main".
  public init(account: AccountID, name: String) {
    self.account = account
    self.name = name.isEmpty ? "main" : name
    content = nil
  }

  /// The passing session of an account's views that show a section, or what a search finds.
  public init(account: AccountID, showing content: PaneContent) {
    self.account = account
    name = ""
    self.content = content
  }

  /// Whether nothing of it is ever stored.
  var isPassing: Bool { content != nil }
}

/// How a view opens.
public struct ViewOpening: Sendable {
  public var session: SessionKey
  public var layout: LayoutParameters
  /// The zone that `layout.timeZone` names.
  public var zone: Zone
  public var viewport: ViewportParameters?
  /// True for Attach, whose client acknowledges frames; false for Watch.
  public var acknowledges: Bool
  /// What the client says it still holds of a view that ended.
  public var resume: Resume?

  /// Puts the parts together.
  public init(
    session: SessionKey, layout: LayoutParameters, zone: Zone, viewport: ViewportParameters?, acknowledges: Bool,
    resume: Resume? = nil
  ) {
    self.session = session
    self.layout = layout
    self.zone = zone
    self.viewport = viewport
    self.acknowledges = acknowledges
    self.resume = resume
  }
}

/// What a transaction of the store changed.
public struct CommittedPosts: Sendable {
  /// The revision it made.
  public var revision: UInt64
  public var new: [StoredPost]
  /// Originals that only came inside of a repost, new or changed: no entries of a timeline, but conversations show
  /// them.
  public var originals: [StoredPost] = []
  /// Posts that were there; reposts of a changed original are among them.
  public var changed: [StoredPost]
  /// Authors that are new or changed.
  public var authors: [Author]
  /// Posts that are no more; as entries, reposts of a post that went are among them.
  public var removed: [OrderKey] = []
  /// Lists that gained posts of `new` or `changed`, as the store decided.
  public var entered: [ListKey: [PostID]] = [:]
  /// Lists that lost posts.
  public var left: [ListKey: [OrderKey]] = [:]
  /// Who is in the circles that posts of this commit are for.
  public var members: [CircleID: Set<AccountID>] = [:]
  /// Who has come into circles by it, and who is in them no more.
  public var joined: [CircleID: Set<AccountID>] = [:]
  public var withdrew: [CircleID: Set<AccountID>] = [:]
  /// Lists that are to be read again: so much of them changed.
  public var reloaded: [ListKey] = []
  /// All that accounts are known not to have, the newest first, of those for whom that has changed.
  public var gaps: [AccountID: [Gap]] = [:]
  /// Accounts whose made lists are others now by name, number or authors.
  public var listsChanged: Set<AccountID> = []
  /// Accounts that want to see something else now than before: what each does not want to see.
  public var quiet: [AccountID: Quiet] = [:]
  /// Somebody follows others now, is somebody else too, or is new: profiles tell something else.
  public var profilesChanged = false

  /// Puts the parts together.
  public init(revision: UInt64, new: [StoredPost] = [], changed: [StoredPost] = [], authors: [Author] = []) {
    self.revision = revision
    self.new = new
    self.changed = changed
    self.authors = authors
  }
}

/// Asks for laid-out rows once.
public struct RowsRequest: Sendable {
  /// What to read.
  public enum Subject: Equatable, Sendable {
    case section(Section)
    /// By number or `source:native-id`.
    case post(String)
    /// The one around a post, which is named likewise.
    case conversation(String)
    /// Posts of an author: by number, `source:native-id` or @handle.
    case author(String)
    /// A list of the account: by number or name.
    case list(String)
    /// What a search finds, as somebody typed it.
    case search(String)
    /// A direct conversation.
    case direct(CircleID)
  }
  public var account: AccountID
  public var subject: Subject
  public var layout: LayoutParameters
  public var zone: Zone
  /// Rows strictly beyond this one, which for lists is a list's number; nil begins at the end.
  public var anchor: PostID?
  /// The instant of that row, as who asks knows it: the place is found by it though the row has gone or stands
  /// elsewhere. Nil where it is not said.
  public var anchorAt: Instant?
  /// True: up the timeline, towards newer posts.
  public var newer: Bool
  /// 1 to the window's maximum.
  public var count: Int
  /// What is to be let through, as somebody typed it; empty for everything.
  public var filter = ""
  /// Whose reading positions say what is unread, where the filter asks for that; empty for "main".
  public var session = ""

  /// The newest rows of a timeline.
  public init(account: AccountID, layout: LayoutParameters, zone: Zone) {
    self.account = account
    self.subject = .section(.timeline)
    self.layout = layout
    self.zone = zone
    self.newer = false
    self.count = 50
  }
}

/// What a load brought.
public enum LoadResult: Sendable {
  /// A slice of a list, newest first, read at `revision` or later. The whole list has `total` entries; `isLast` says
  /// that none is older than the slice. With the newest slice comes what the account does not want to see, as of
  /// `revision`, and with that of a timeline all its account's gaps, the newest first.
  case page(
    posts: [StoredPost], authors: [Author], revision: UInt64, total: Int, isLast: Bool, quiet: Quiet? = nil,
    gaps: [Gap]? = nil)
  /// A conversation, oldest first, read at `revision` or later; `subject` is the post it is about.
  case conversation(subject: PostID, posts: [StoredPost], authors: [Author], revision: UInt64)
  /// One post.
  case post(StoredPost, authors: [Author], revision: UInt64)
  /// What is known of a list beside its posts, with every author it names.
  case facts(ListFacts, authors: [Author], revision: UInt64)
  /// How much an account has not seen, and its author. Exactly as of `revision`.
  case navigation(NavigationFacts, Author, revision: UInt64)
  /// A session as it was saved, at the revision of its last change; nil bytes: there is none. With it where it was last
  /// looked at, at the revision at which that was saved, and how many sessions the account has.
  case session(
    bytes: [UInt8]?, revision: UInt64, places: [UInt8]? = nil, placesRevision: UInt64 = 0, sessionCount: Int = 0)
  /// What a command named, as the account may see it.
  case pane(PaneContent)
  /// All saved sessions of an account, by name.
  case sessions([StoredSession])
  /// Nothing, and why.
  case failed(EngineError)
}

/// What enters the engine.
public enum Input: Sendable {
  case viewOpened(ViewID, ViewOpening)
  case viewportMoved(ViewID, ViewportParameters)
  /// The client has said so `count` times; this is the last of them.
  case layoutChanged(ViewID, LayoutParameters, Zone, count: UInt32 = 1)
  /// The client has shown this frame and those before it.
  case acknowledged(ViewID, frame: UInt64)
  /// Bytes of the view's frames have moved though nothing was acknowledged.
  case progressed(ViewID)
  case viewClosed(ViewID)
  /// A client commands a pane stack.
  case stackCommand(RequestToken, SessionKey, StackCommand)
  /// A client slides the stack of a view.
  case stackMoved(RequestToken, ViewID, SlideCommand)
  /// A client asks which sessions there are.
  case sessionsRequested(RequestToken, AccountID)
  /// A client asks for rows.
  case rowsRequested(RequestToken, RowsRequest)
  /// The store has committed posts.
  case committed(CommittedPosts)
  /// The store has saved, renamed or deleted a session, or could not. A renamed one is called by its old name.
  case sessionSaved(SessionKey, Result<UInt64, EngineError>)
  /// The store has saved where a session is looked at, or could not.
  case placesSaved(SessionKey, Result<UInt64, EngineError>)
  /// The store could not save what an account has seen of a section.
  case seenNotSaved(AccountID, SeenSection)
  /// A load has ended.
  case loaded(LoadID, LoadResult)
  /// `nextDeadline` has come.
  case timePassed
  /// The daemon is about to stop: what is saved lazily is to be saved now.
  case flush
}

extension LoadResult {
  /// The revision it was read at, or before; nil where that does not matter.
  var revision: UInt64? {
    switch self {
    case .page(_, _, let revision, _, _, _, _), .conversation(_, _, _, let revision), .post(_, _, let revision),
      .facts(_, _, let revision),
      .navigation(_, _, let revision):
      revision
    case .session, .sessions, .pane, .failed: nil
    }
  }
}
