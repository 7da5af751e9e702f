public import Dates

/// The position of a post in every list of posts: by instant, then by ID.
public struct OrderKey: Hashable, Comparable, Sendable {
  public var createdAt: Instant
  public var id: PostID

  public init(createdAt: Instant, id: PostID) {
    self.createdAt = createdAt
    self.id = id
  }

  /// Comes before every post.
  public static let lowest = OrderKey(createdAt: Instant(milliseconds: .min), id: PostID(.min))

  /// Comes after every post.
  public static let highest = OrderKey(createdAt: Instant(milliseconds: .max), id: PostID(.max))

  public static func < (left: OrderKey, right: OrderKey) -> Bool {
    left.createdAt == right.createdAt ? left.id < right.id : left.createdAt < right.createdAt
  }
}

extension StoredPost {
  /// The position of the post in a list.
  public var orderKey: OrderKey { OrderKey(createdAt: createdAt, id: id) }
}
