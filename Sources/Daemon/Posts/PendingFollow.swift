public import Dates

/// A request to follow an account of this daemon, which it has neither approved nor refused. The account that is asked
/// is known from the context.
public struct PendingFollow: Equatable, Sendable {
  /// The number of its row, from the same sequence as post IDs; never shared with a post or reused.
  public var id: PostID
  /// The name of the account that asks.
  public var name: SafeText
  /// The author of that account's local posts.
  public var author: Author
  public var askedAt: Instant

  public init(id: PostID, name: SafeText, author: Author, askedAt: Instant) {
    (self.id, self.name, self.author, self.askedAt) = (id, name, author, askedAt)
  }

  /// The position of its row among mentions.
  public var orderKey: OrderKey { OrderKey(createdAt: askedAt, id: id) }
}
