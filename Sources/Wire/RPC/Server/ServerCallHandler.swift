/// Handles the calls of a server's connections.
public protocol ServerCallHandler: AnyObject {
  /// Handles a new call: its path and metadata are known, its messages are not. Set its callbacks, then respond now or
  /// later. A call that is released without a response waits until its client gives up.
  func handle(_ call: ServerCall)
  /// Returns the status to send to the client of a call that ends with an error; it may have more details. Also called
  /// for calls that the handler never saw.
  func ending(_ call: ServerCall, with status: Status) -> Status
  /// Counts a stream of `caller` that ended with an error, by the clock of `ServerConnection.receive`. Returns false if
  /// the caller has had too many, on all of its connections together; this connection is ended then.
  func streamFailed(of caller: Peer, at now: Duration) -> Bool
}

extension ServerCallHandler {
  /// Returns the status unchanged.
  public func ending(_ call: ServerCall, with status: Status) -> Status { status }

  /// Sets no limit beside that of each connection.
  public func streamFailed(of caller: Peer, at now: Duration) -> Bool { true }
}
