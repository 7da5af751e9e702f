internal import Posts

extension SafeText {
  /// Cleans bytes known to be well-formed UTF-8 (the JSON parser has checked them): most texts hold nothing to clean,
  /// which one pass finds out without decoding. O(n).
  init(wellFormed bytes: [UInt8]) {
    self = Self.needsCleaning(bytes) ? SafeText(sanitizing: bytes) : SafeText(trusted: bytes)
  }

  /// Cleans well-formed UTF-8 for a place that has one line only.
  init(wellFormedLine bytes: Bytes) {
    let bytes = bytes.array
    self = Self.needsCleaning(bytes) || bytes.contains(0x0A) ? SafeText(line: bytes) : SafeText(trusted: bytes)
  }

  /// Whether ``init(sanitizing:)`` would change well-formed `bytes`. May say yes in vain, never no.
  static func needsCleaning(_ bytes: [UInt8]) -> Bool {
    // The byte before; 0 and 1 stand for E2 80 and E2 81.
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
