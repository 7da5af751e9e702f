/// A feed as its program is told of it (docs/UPSTREAM.md).
public struct UpstreamFeed: Equatable, Sendable {
  /// Its name in the protocol.
  public var name: String
  public var url: String
  /// The interval in minutes that a person has set; 0 for the feed's own.
  public var intervalMinutes: Int
  /// True if a changed item is to come up again.
  public var liftsEdited: Bool

  public init(name: String, url: String, intervalMinutes: Int = 0, liftsEdited: Bool = false) {
    (self.name, self.url, self.intervalMinutes, self.liftsEdited) = (name, url, intervalMinutes, liftsEdited)
  }
}
