/// The end of a call after which a client that follows something connects again instead of ending.
public struct Interruption: Equatable, Sendable {
  /// The reason in the daemon's words; empty if the daemon was lost.
  public let reason: String
  /// The least time to wait, as the daemon asked.
  public let delayMilliseconds: Int64

  /// Creates the interruption for a call that ended with a gRPC status, by its number (statuscodes.md of gRPC); nil if
  /// calling again would end the same way.
  public init?(status: Int, reason: String = "", delayMilliseconds: Int64 = 0) {
    guard Self.survivable.contains(status) else { return nil }
    self.reason = reason
    self.delayMilliseconds = delayMilliseconds
  }

  /// OK (a stream that the daemon ended), CANCELLED, DEADLINE_EXCEEDED, RESOURCE_EXHAUSTED (a view that was stuck, or a
  /// queue that is full), INTERNAL (a stream that was reset) and UNAVAILABLE.
  private static let survivable: Set = [0, 1, 4, 8, 13, 14]
}
