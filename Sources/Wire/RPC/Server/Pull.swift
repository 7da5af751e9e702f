/// The result of a server call's `onReadyToSend`.
public enum Pull: Sendable {
  /// Send this message, then ask again when there is room.
  case message([UInt8])
  /// Nothing to send now: ask again after `wake()`.
  case wait
  /// No more messages: end the call.
  case finish(Status, trailers: Metadata)
}
