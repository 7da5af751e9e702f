/// HTML character references in bytes.
package enum Entities {
  /// Decodes the reference that starts with the `&` at `position` and ends with `;`.
  ///
  /// Returns its UTF-8 and the position after it; nil if the `&` does not start a reference. Supports the named
  /// references of HTML 4 and `&apos;`; a number that is not a scalar value becomes U+FFFD (HTML 13.2.5.80). Reads at
  /// most 32 bytes.
  package static func decode(_ bytes: [UInt8], at position: Int) -> (text: [UInt8], end: Int)? {
    let limit = min(bytes.count, position + 32)
    var end = position + 1
    while end < limit, bytes[end] != UInt8(ascii: ";") { end += 1 }
    guard end < limit, end > position + 1 else { return nil }
    let name = bytes[position + 1..<end]
    guard let scalar = name.first == UInt8(ascii: "#") ? numeric(name.dropFirst()) : named(name) else { return nil }
    return (Array(UTF8.encode(scalar)!), end + 1)
  }

  /// Appends `bytes[range]` with its references decoded once.
  static func appendDecoded(_ bytes: [UInt8], _ range: Range<Int>, to output: inout [UInt8]) {
    var position = range.lowerBound
    while position < range.upperBound {
      if bytes[position] == UInt8(ascii: "&"), let decoded = decode(bytes, at: position),
        decoded.end <= range.upperBound
      {
        output += decoded.text
        position = decoded.end
      } else {
        output.append(bytes[position])
        position += 1
      }
    }
  }

  private static func numeric(_ digits: ArraySlice<UInt8>) -> Unicode.Scalar? {
    let hexadecimal = digits.first == UInt8(ascii: "x") || digits.first == UInt8(ascii: "X")
    let text = String(decoding: hexadecimal ? digits.dropFirst() : digits, as: UTF8.self)
    guard let first = text.utf8.first, first != UInt8(ascii: "+"), first != UInt8(ascii: "-"),
      text.utf8.allSatisfy({ $0 < 0x80 })
    else { return nil }
    guard let value = UInt32(text, radix: hexadecimal ? 16 : 10) else {
      return text.allSatisfy(\.isHexDigit) ? "\u{FFFD}" : nil
    }
    return Unicode.Scalar(value) ?? "\u{FFFD}"
  }

  private static func named(_ name: ArraySlice<UInt8>) -> Unicode.Scalar? {
    switch String(decoding: name, as: UTF8.self) {
    case "amp": "&"
    case "lt": "<"
    case "gt": ">"
    case "quot": "\""
    case "apos": "'"
    case "nbsp": "\u{A0}"
    case let other: NamedEntities.table[other]
    }
  }
}
