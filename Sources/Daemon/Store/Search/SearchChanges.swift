internal import Posts

/// What a transaction does to the index of words; done at its end in the order of the keys, for FTS5 writes a piece of
/// its index whenever a row comes that is not behind the one before.
struct SearchChanges {
  /// A post as it was indexed before the transaction, and as it is to be. Nil: not at all.
  struct Change {
    var before: SearchedPost?
    var after: SearchedPost?
  }
  /// By post.
  var changes: [PostID: Change] = [:]
}
