/// The terminal's clipboard (OSC 52), if the terminal allows programs to write to it.
public enum Clipboard {
  /// The largest text in bytes that every terminal with OSC 52 accepts.
  public static let limitBytes = 74_994

  /// Returns the sequence that copies a text to the clipboard; nil if it is too long. O(n).
  public static func sequence(for text: [UInt8]) -> [UInt8]? {
    guard text.count <= limitBytes else { return nil }
    return Array("\u{1B}]52;c;".utf8) + base64(text) + Array("\u{1B}\\".utf8)
  }

  private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  /// Returns `bytes` in base64 (RFC 4648, section 4).
  private static func base64(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let number = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
      for place in 0..<4 {
        result.append(place <= group.count ? digits[number >> (18 - 6 * place) & 63] : 0x3D)
      }
    }
    return result
  }
}
