internal import Dates
internal import Posts

/// A change of what is kept of what sources bring.
public enum RetentionChange: Equatable, Sendable {
  /// Sets how much is kept of a source; for `feed`, of feeds without a rule of their own.
  case rule(KeepRule, source: String)
  /// Sets the size in bytes above which old posts are removed; 0 for none.
  case size(Int)
  /// Removes a slice of the old posts.
  case prune(Pruning)
}

/// A removal of old posts of sources, in slices.
public struct Pruning: Equatable, Sendable {
  /// Whose posts are looked at, from the oldest on.
  enum Scope: Equatable, Sendable {
    /// Those of a feed.
    case author(AuthorID)
    /// Those of a source.
    case source(Int64)
    /// Those of every source that has a program.
    case programs
  }

  var scope: Scope
  /// Posts from here on stay.
  var end: Instant
  /// The number of posts of the scope that are looked at.
  var left: Int
  /// The last post that the slice before looked at.
  var last = OrderKey.lowest
  /// For ``Scope/programs``: the size in bytes at which it ends.
  var targetBytes = 0
}

/// The outcome of a slice of a ``Pruning``.
public struct Pruned: Equatable, Sendable {
  /// The number of posts removed, reposts of them included.
  public var removed = 0
  /// What follows; nil at the end.
  public var next: Pruning?
}
