public import Posts

/// What became of a batch of imported posts. `new + changed + same + refused.count` is the size of the batch.
public struct ImportReport: Equatable, Sendable {
  /// Not known before.
  public var new = 0
  /// Known, and something about it or its original differed, or it came into the home list of who imported it only now.
  public var changed = 0
  /// Known and the same: nothing was written.
  public var same = 0
  /// Posts that were not stored.
  public var refused: [RefusedPost] = []
  /// Entries that are new, have become entries or now read differently, in the order in which that
  /// happened: imported ones, reposts whose original changed, replies whose parent has come.
  public var entries: [StoredPost] = []
  /// The same for posts that are no entries: originals that only came inside a repost. A conversation may show them.
  public var originals: [StoredPost] = []
  /// Authors that are new or are called something else now.
  public var authors: [Author] = []

  public init() {}
}

/// A post of a batch that was not stored.
public struct RefusedPost: Equatable, Sendable {
  /// Why a post is not stored.
  public enum Reason: Sendable {
    /// Its source, its native id, its author's, an alias or the key of what it answers is empty or longer than
    /// ``StoreLimits`` allows, or it is a repost of itself or of a repost.
    case unusableName
    /// It is of source `stack` and not the account's own, nor one that is here as it is, or its name is another post's;
    /// or it would be new and is in the name of an author whom another account has claimed.
    case anotherAccount
  }

  /// Its index in the batch.
  public var index: Int
  /// Why it was not stored.
  public var reason: Reason

  public init(index: Int, reason: Reason) {
    self.index = index
    self.reason = reason
  }
}

extension RefusedPost.Reason: CustomStringConvertible {
  /// One line for the report of an import.
  public var description: String {
    switch self {
    case .unusableName: "has no usable id, author or original"
    case .anotherAccount: "is in the name of another account; import --source NAME keeps such posts apart"
    }
  }
}
