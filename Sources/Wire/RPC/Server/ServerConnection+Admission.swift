// What a transport asks that decides which connections it takes and which it ends.

extension ServerConnection {
  /// Calls that are open.
  public var openCalls: Int { calls.count }

  /// Bytes of the heap that the HTTP/2 session has; `ConnectionLimits.Floods.memoryBytes` at most.
  public var sessionMemoryBytes: Int { session.memoryBytes }

  /// Whether a call is open that has not been answered. What the client leaves open of one that has been is not looked
  /// at: the refused calls of an unauthenticated client would keep its connection for ever. Linear in the number of
  /// open calls.
  public var isServing: Bool { calls.values.contains { $0.isOpen } }

  /// Returns what a client is sent that gets no connection: SETTINGS, which come before anything else (RFC 9113,
  /// section 3.4), and a GOAWAY with `reason`.
  public static func refusal(_ reason: String) -> [UInt8] {
    [0, 0, 0, 4, 0, 0, 0, 0, 0] + HTTP2Session.goAway(lastStream: 0, HTTP2Session.ErrorCode.enhanceYourCalm, reason)
  }
}
