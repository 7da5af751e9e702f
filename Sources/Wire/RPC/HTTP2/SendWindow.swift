/// The number of DATA bytes the peer allows us to send, on one stream or on the whole connection (RFC 9113, section
/// 5.2).
struct SendWindow {
  /// The largest valid window.
  static let largest = Int(Int32.max)
  /// The initial window until SETTINGS change it (section 6.9.2); a connection's initial window is always this.
  static let initial = 65535

  /// Bytes that may still be sent; negative after SETTINGS that shrank the window below what was in flight (section
  /// 6.9.2).
  private(set) var bytes: Int

  /// A window of the size set by the peer's SETTINGS.
  init(bytes: Int = SendWindow.initial) { self.bytes = bytes }

  /// Subtracts bytes that have been sent.
  mutating func use(_ count: Int) { bytes -= count }

  /// Opens the window further, or closes it by a negative count. Returns false, and blocks the window for good, if that
  /// would make it larger than allowed.
  mutating func move(by count: Int) -> Bool {
    guard bytes + count <= SendWindow.largest else {
      bytes = SendWindow.broken
      return false
    }
    bytes += count
    return true
  }

  /// A value so low that no update can reopen the window.
  private static let broken = -1 << 60
}
