internal import Posts

/// A change of a list's rows, by rank from the oldest at the time of the change.
enum ListEdit {
  /// A row came to stand at `rank`.
  case inserted(rank: Int, StoredPost)
  /// The row at `rank` reads differently.
  case changed(rank: Int, StoredPost)
  /// The row at `rank` went.
  case removed(rank: Int)
  /// Older rows were put before all others.
  case prepended(count: Int)
  /// Nothing is as it was.
  case replaced
}
