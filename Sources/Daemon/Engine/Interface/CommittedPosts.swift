public import Posts

/// What a transaction of the store did.
public struct CommittedPosts: Sendable {
  /// The revision it made.
  public var revision: UInt64
  /// Posts that were not there before, in the order in which they were made.
  public var new: [StoredPost]
  /// Authors that are new or changed.
  public var authors: [Author]
  /// What else it did, to posts, lists and accounts.
  public var changes: Changes
  /// Somebody follows others now, is somebody else too, or is new: profiles tell something else.
  public var profilesChanged = false

  /// A transaction that has made posts.
  public init(revision: UInt64, new: [StoredPost] = [], authors: [Author] = [], changes: Changes = Changes()) {
    self.revision = revision
    self.new = new
    self.authors = authors
    self.changes = changes
  }
}
