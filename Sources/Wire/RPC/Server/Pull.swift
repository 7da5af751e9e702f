/// The answer of a server's call that is asked for its next message.
public enum Pull: Sendable {
  /// Send this message, then ask again when there is room.
  case message([UInt8])
  /// There is nothing now: ask again after `wake()`.
  case wait
  /// There will be no more: end the call.
  case finish(Status, trailers: Metadata)
}
