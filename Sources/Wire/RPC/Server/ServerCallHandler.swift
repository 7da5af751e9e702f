/// Whoever answers the calls of a server's connections.
public protocol ServerCallHandler: AnyObject {
  /// A call has come: its path and metadata are known, its messages are not. Set its callbacks, then answer now or
  /// later. A call that is let go without an answer waits for its client to give up.
  func handle(_ call: ServerCall)
  /// A call is ending with an error: returns what the client is told, which may have more details. For calls that the
  /// handler never saw too.
  func ending(_ call: ServerCall, with status: Status) -> Status
}

extension ServerCallHandler {
  /// The status as it is.
  public func ending(_ call: ServerCall, with status: Status) -> Status { status }
}
