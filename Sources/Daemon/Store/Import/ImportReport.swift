public import Posts

/// The outcome of importing a batch. `new + changed + same + refused.count` is the size of the batch.
public struct ImportReport: Equatable, Sendable {
  /// Number of posts that were not known before.
  public var new = 0
  /// Number of known posts that changed, whose original changed, or that were newly added to the importer's home list.
  public var changed = 0
  /// Number of known posts that did not change; nothing was written.
  public var same = 0
  /// Posts that were not stored.
  public var refused: [RefusedPost] = []
  /// Entries that are new, became entries or changed, in that order: imported posts, reposts whose original changed,
  /// replies whose parent arrived.
  public var entries: [StoredPost] = []
  /// The same for posts that are not entries, only originals inside reposts. A conversation may show them.
  public var originals: [StoredPost] = []
  /// Authors that are new or renamed.
  public var authors: [Author] = []
  /// The number of the run that the batch belongs to; nil if it has none, or has brought nothing so far.
  public var run: Int64?

  public init() {}

  /// Adds the outcome of another part of the batch, except for its refused posts.
  mutating func add(_ other: ImportReport) {
    new += other.new
    changed += other.changed
    same += other.same
    entries += other.entries
    originals += other.originals
    authors += other.authors
  }
}

/// A post of a batch that was not stored.
public struct RefusedPost: Equatable, Sendable {
  /// The reason for refusing a post.
  public enum Reason: Sendable {
    /// The source, the native ID, the author's native ID, an alias or the parent's key is empty or exceeds
    /// ``StoreLimits``, or the post is a repost of itself or of a repost.
    case unusableName
    /// The post has source `stack` and an author who has an account here, and is neither the importer's own nor an exact
    /// copy of a stored post that the importer may see; or it is a new post by an author that another account has
    /// claimed.
    case anotherAccount
    /// The post has source `stack` and an ID that this daemon has given to another post or may give, or the ID of
    /// another post that the importer may see.
    case takenID
  }

  /// Its index in the batch.
  public var index: Int
  /// The reason.
  public var reason: Reason

  public init(index: Int, reason: Reason) {
    self.index = index
    self.reason = reason
  }
}

extension RefusedPost.Reason: CustomStringConvertible {
  /// One line for the import report.
  public var description: String {
    switch self {
    case .unusableName: "has no usable ID, author or original"
    case .anotherAccount: "belongs to another account here, and only that account can import it"
    case .takenID: "has an ID that is reserved for another post; remove the ID to import it as a new post"
    }
  }
}
