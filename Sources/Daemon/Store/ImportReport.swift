public import Posts

/// What became of a batch of imported posts. `new + changed + same + refused.count` is the size of the batch.
public struct ImportReport: Equatable, Sendable {
  public var new = 0
  /// Known, and something about it or its original differed.
  public var changed = 0
  /// Known and the same: nothing was written.
  public var same = 0
  /// Indices into the batch of posts that were not stored: without a usable identity (see ``StoreLimits``), or in the name of
  /// another account of this daemon.
  public var refused: [Int] = []
  /// Entries of the timeline that are new or now read differently, in the order in which that happened: imported ones, reposts
  /// whose original changed, replies whose parent has come.
  public var entries: [StoredPost] = []
  /// The same for posts that are no entries: originals that only came inside a repost. A conversation may show them.
  public var originals: [StoredPost] = []
  /// Authors that are new or are called something else now.
  public var authors: [Author] = []

  public init() {}
}
