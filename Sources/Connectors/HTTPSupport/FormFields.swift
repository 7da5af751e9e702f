/// Fields of a form, as `application/x-www-form-urlencoded` (WHATWG URL, section 5.2).
public enum FormFields {
  /// Writes fields in their order. Everything but letters, digits and `*-._` is percent-encoded. O(length).
  public static func encode(_ fields: [(name: String, value: String)]) -> String {
    fields.map { "\(encode($0.name))=\(encode($0.value))" }.joined(separator: "&")
  }

  /// Returns the value of the first field with a name in an encoded form or a query; nil if there is none.
  public static func value(_ name: String, in text: some StringProtocol) -> String? {
    for field in text.split(separator: "&") {
      let parts = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if decode(parts[0]) == name { return parts.count == 2 ? decode(parts[1]) : "" }
    }
    return nil
  }

  private static func encode(_ text: String) -> String {
    var output: [UInt8] = []
    for byte in text.utf8 {
      if isPlain(byte) {
        output.append(byte)
      } else {
        let digits = String(byte, radix: 16, uppercase: true)
        output += Array("%\(byte < 16 ? "0" : "")\(digits)".utf8)
      }
    }
    return String(decoding: output, as: UTF8.self)
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    case UInt8(ascii: "*"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"): true
    default: false
    }
  }

  private static func decode(_ text: some StringProtocol) -> String {
    var output: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), rest.count >= 2,
        let code = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
      {
        output.append(code)
        rest = rest.dropFirst(2)
      } else {
        output.append(byte == UInt8(ascii: "+") ? 0x20 : byte)
      }
    }
    return String(decoding: output, as: UTF8.self)
  }
}
