/// Handles the calls of a server's connections.
public protocol ServerCallHandler: AnyObject {
  /// Handles a new call: its path and metadata are known, its messages are not. Set its callbacks, then respond now or
  /// later. A call that is released without a response waits until its client gives up.
  func handle(_ call: ServerCall)
  /// Returns the status to send to the client of a call that ends with an error; it may have more details. Also called
  /// for calls that the handler never saw.
  func ending(_ call: ServerCall, with status: Status) -> Status
}

extension ServerCallHandler {
  /// Returns the status unchanged.
  public func ending(_ call: ServerCall, with status: Status) -> Status { status }
}
