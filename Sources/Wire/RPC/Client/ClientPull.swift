/// The result of a client call's `onReadyToSend`.
public enum ClientPull: Sendable {
  /// Send this message, then ask again when there is room.
  case message([UInt8])
  /// Nothing to send now: ask again after `wake()`.
  case wait
  /// No more messages: close the sending half.
  case close
}
