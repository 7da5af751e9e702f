public import Posts

/// The effects of one committed transaction of the store.
public struct CommittedPosts: Sendable {
  /// The revision that the transaction created.
  public var revision: UInt64
  /// New posts, in the order of their creation.
  public var new: [StoredPost]
  /// New and changed authors.
  public var authors: [Author]
  /// All other changes: to posts, lists and accounts.
  public var changes: Changes
  /// True if follows or identities have changed, or an account is new: profiles must be read again.
  public var profilesChanged = false

  public init(revision: UInt64, new: [StoredPost] = [], authors: [Author] = [], changes: Changes = Changes()) {
    self.revision = revision
    self.new = new
    self.authors = authors
    self.changes = changes
  }
}
