public import Dates

/// Where a post stands in every list of posts: by instant, then by id.
public struct OrderKey: Hashable, Comparable, Sendable {
  public var createdAt: Instant
  public var id: PostID

  /// Puts the parts together.
  public init(createdAt: Instant, id: PostID) {
    self.createdAt = createdAt
    self.id = id
  }

  public static func < (left: OrderKey, right: OrderKey) -> Bool {
    left.createdAt == right.createdAt ? left.id < right.id : left.createdAt < right.createdAt
  }
}

extension StoredPost {
  /// Where the post stands in a list.
  public var orderKey: OrderKey { OrderKey(createdAt: createdAt, id: id) }
}
