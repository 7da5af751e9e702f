/// How many bytes of DATA the peer allows us to send: on one stream, or on all of a connection together (RFC 9113,
/// section 5.2).
struct SendWindow {
  /// The largest that a window may be.
  static let largest = Int(Int32.max)
  /// What it is until SETTINGS say something else (section 6.9.2); for a connection always.
  static let initial = 65535

  /// Bytes that may still be sent; below 0 after SETTINGS that made it smaller than what was under way (section 6.9.2).
  private(set) var bytes: Int

  /// Opened as far as the peer's SETTINGS say.
  init(bytes: Int = SendWindow.initial) { self.bytes = bytes }

  /// Bytes have been sent.
  mutating func use(_ count: Int) { bytes -= count }

  /// The peer opens the window further, or closes it a little. False, and a window through which nothing is sent any
  /// more, where that makes it larger than it may be.
  mutating func move(by count: Int) -> Bool {
    guard bytes + count <= SendWindow.largest else {
      bytes = SendWindow.broken
      return false
    }
    bytes += count
    return true
  }

  /// Out of reach of all that could open it again.
  private static let broken = -1 << 60
}
