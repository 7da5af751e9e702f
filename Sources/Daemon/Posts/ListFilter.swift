/// A filter applied to a list.
public struct ListFilter: Hashable, Sendable {
  /// The filter in its canonical spelling (`PostFilter`).
  public var words: String
  /// For `is:unread`: the newest post that had been read when the filter was set; later posts count as unread. Nil if
  /// nothing had been read, or without `is:unread`.
  public var since: OrderKey?

  public init(words: String, since: OrderKey? = nil) {
    self.words = words
    self.since = since
  }
}
