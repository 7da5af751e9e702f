public import Dates
public import Posts

/// A place in the timeline, between entries: right before (older than) the entry it names.
///
/// Made of the entry's own key, so that entries arriving or leaving elsewhere make a reader neither repeat nor skip one.
public struct TimelineCursor: Hashable, Sendable {
  /// The instant of the entry it names.
  public var createdAt: Instant
  /// The number of the entry it names, or any other: it need not be there any more.
  public var id: PostID

  public init(createdAt: Instant, id: PostID) {
    self.createdAt = createdAt
    self.id = id
  }

  /// The place right before `entry`: what to go on from after it.
  public init(before entry: StoredPost) { self.init(createdAt: entry.createdAt, id: entry.id) }
}
