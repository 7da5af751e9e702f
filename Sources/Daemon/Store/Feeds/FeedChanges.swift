/// The feeds that a commit has changed, by number.
public struct FeedChanges: Equatable, Sendable {
  /// Those that were added, changed, followed or unfollowed.
  public var changed: Set<Int64>
  /// Those whose cursors were forgotten: their program reads them from the beginning.
  public var restarted: Set<Int64>

  public init(changed: Set<Int64> = [], restarted: Set<Int64> = []) {
    (self.changed, self.restarted) = (changed, restarted)
  }

  /// True if no feed has changed.
  public var isEmpty: Bool { changed.isEmpty && restarted.isEmpty }

  /// Adds the changes of another commit.
  public mutating func formUnion(_ other: FeedChanges) {
    changed.formUnion(other.changed)
    restarted.formUnion(other.restarted)
  }
}

/// Which of the feeds that somebody follows are read for their program.
public enum FeedSelection: Equatable, Sendable {
  /// The first ones with greater numbers.
  case page(after: Int64, limit: Int)
  /// Those with these numbers.
  case numbers([Int64])
}
