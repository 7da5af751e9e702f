// What a transport needs to decide which connections to accept and which to end.

extension ServerConnection {
  /// The number of open calls.
  public var openCalls: Int { calls.count }

  /// Heap bytes of the HTTP/2 session; at most `ConnectionLimits.Floods.memoryBytes`.
  public var sessionMemoryBytes: Int { session.memoryBytes }

  /// True if an open call has not been answered. Answered calls that the client leaves open do not count: otherwise an
  /// unauthenticated client could keep its connection forever with refused calls. Linear in the number of open calls.
  public var isServing: Bool { calls.values.contains { $0.isOpen } }

  /// Returns the bytes sent to a client that gets no connection: SETTINGS, which come before anything else (RFC 9113,
  /// section 3.4), and a GOAWAY with `reason`.
  public static func refusal(_ reason: String) -> [UInt8] {
    [0, 0, 0, 4, 0, 0, 0, 0, 0] + HTTP2Session.goAway(lastStream: 0, HTTP2Session.ErrorCode.enhanceYourCalm, reason)
  }
}
