/// Percent-encoding (RFC 3986, section 2.1).
public enum PercentCoding {
  private static let digits = Array("0123456789ABCDEF".utf8)

  /// Appends bytes to `output`; those that `isPlain` is false for become `%` and two hexadecimal digits. O(length).
  public static func append(
    _ bytes: some Sequence<UInt8>, to output: inout [UInt8], where isPlain: (UInt8) -> Bool
  ) {
    for byte in bytes {
      if isPlain(byte) {
        output.append(byte)
      } else {
        output += [0x25, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
  }

  /// Returns the encoded form of a text; ASCII letters, digits and the bytes of `signs` stay. O(length).
  public static func encode(_ text: some StringProtocol, keeping signs: String) -> String {
    var output: [UInt8] = []
    append(text.utf8, to: &output) { byte in
      0x30...0x39 ~= byte || 0x61...0x7A ~= byte | 0x20 || signs.utf8.contains(byte)
    }
    return String(decoding: output, as: UTF8.self)
  }

  /// Returns the decoded bytes of a text. A `%` without two digits behind it stands for itself, and `isValid` is false.
  /// O(length).
  public static func decode(_ text: some StringProtocol) -> (bytes: [UInt8], isValid: Bool) {
    var output: [UInt8] = []
    var isValid = true
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      if byte == 0x25, rest.count >= 2, let high = value(rest[rest.startIndex]),
        let low = value(rest[rest.startIndex + 1])
      {
        output.append(high << 4 | low)
        rest = rest.dropFirst(2)
      } else {
        if byte == 0x25 { isValid = false }
        output.append(byte)
      }
    }
    return (output, isValid)
  }

  private static func value(_ digit: UInt8) -> UInt8? {
    switch digit {
    case 0x30...0x39: digit - 0x30
    case 0x41...0x46, 0x61...0x66: (digit | 0x20) - 0x61 + 10
    default: nil
    }
  }
}
