internal import Posts

/// The one row of `meta`.
struct Meta: Equatable {
  /// See ``PostStore/epoch``; 0 in a backup.
  var epoch: UInt64
  /// See ``PostStore/revision``.
  var revision: UInt64
  /// The number last given to a post.
  var lastPost: Int64
  /// Whether the store was closed after the last write.
  var isClosed: Bool
}

/// What is known about the open transaction besides what is in its tables; thrown away with it.
struct Transaction {
  /// As it will be after the commit. Its revision is that of this commit already.
  var meta: Meta
  /// Whether anything was written.
  var hasChanges = false
  /// By how much the number of timeline entries of each audience changed.
  var tallies: [Audience: Int] = [:]
  /// Authors met in it, as they are stored.
  var authors: [AuthorKey: Author] = [:]
  /// Sources of which it is known whether any post has an alias.
  var hasAliases: [Int64: Bool] = [:]
  /// Sources of which it is known whether any reply waits for what it answers.
  var hasWaiting: [Int64: Bool] = [:]

  /// The transaction that comes after `meta`.
  init(after meta: Meta) {
    self.meta = meta
    self.meta.revision += 1
    self.meta.isClosed = false
  }

  /// A number that no post ever had.
  mutating func nextPostID() -> PostID {
    meta.lastPost += 1
    return PostID(meta.lastPost)
  }
}

/// What an author is known by.
struct AuthorKey: Hashable {
  /// The number of the source.
  var source: Int64
  /// The source's id of the author.
  var nativeID: String
}
