internal import Posts

/// A change to a list's rows. Ranks count from the oldest row at the time of the change.
enum ListEdit {
  /// A row was inserted at `rank`.
  case inserted(rank: Int, StoredPost)
  /// The content of the row at `rank` changed.
  case changed(rank: Int, StoredPost)
  /// The row at `rank` was removed.
  case removed(rank: Int)
  /// `count` rows older than all others were added.
  case prepended(count: Int)
  /// All rows were replaced.
  case replaced
}
