/// What a list is limited to.
public struct ListFilter: Hashable, Sendable {
  /// A filter in its canonical spelling (`PostFilter`).
  public var words: String
  /// What had been read when the list was limited, where the filter asks for what is unread: newer posts are. Nil for
  /// nothing.
  public var since: OrderKey?

  /// Puts the parts together.
  public init(words: String, since: OrderKey? = nil) {
    self.words = words
    self.since = since
  }
}
