/// Whoever answers the calls of a server's connections.
public protocol ServerCallHandler: AnyObject {
  /// A call has come: its path and metadata are known, its messages are not. Set its callbacks, then answer now or later.
  /// A call that is let go without an answer waits for its client to give up.
  func handle(_ call: ServerCall)
}
