public import Posts
public import Search

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
