/// The answer of a client's call that is asked for its next message.
public enum ClientPull: Sendable {
  /// Send this message, then ask again when there is room.
  case message([UInt8])
  /// There is nothing now: ask again after `wake()`.
  case wait
  /// There will be no more: close the sending half.
  case close
}
