internal import Posts

extension SafeText {
  /// Cleans bytes known to be well-formed UTF-8, as checked by the JSON parser. Most texts need no cleaning, which one
  /// pass determines without decoding. O(n).
  init(wellFormed bytes: [UInt8]) {
    self = Self.needsCleaning(bytes) ? SafeText(sanitizing: bytes) : SafeText(trusted: bytes)
  }

  /// Cleans well-formed UTF-8 for a single-line use.
  init(wellFormedLine bytes: Bytes) {
    let bytes = bytes.array
    self = Self.needsCleaning(bytes) || bytes.contains(0x0A) ? SafeText(line: bytes) : SafeText(trusted: bytes)
  }

  /// False only if ``init(sanitizing:)`` would leave well-formed `bytes` unchanged; may be true unnecessarily.
  static func needsCleaning(_ bytes: [UInt8]) -> Bool {
    // The previous byte; 0 and 1 stand for E2 80 and E2 81.
    var previous: UInt8 = 0x20
    for byte in bytes {
      if byte < 0x20 {
        if byte != 0x0A { return true }
      } else if byte == 0x7F {
        return true
      } else if byte >= 0x80 {
        // C1 controls are C2 80-9F; the separators and bidi controls lie in E2 80 A8-AE and E2 81 A6-A9.
        if previous == 0xC2, byte < 0xA0 { return true }
        if previous == 0xE2, byte == 0x80 || byte == 0x81 {
          previous = byte & 1
          continue
        }
        if previous == 0, byte >= 0xA8, byte <= 0xAE { return true }
        if previous == 1, byte >= 0xA6, byte <= 0xA9 { return true }
      }
      previous = byte
    }
    return false
  }
}
