/// Repairs the text inside a JSON document's strings where strict parsers reject the whole document.
enum JSONRepair {
  /// Returns `document` with ill-formed UTF-8 and lone surrogate escapes as U+FFFD, and with raw control characters in
  /// strings escaped. O(n).
  ///
  /// Errors outside strings remain.
  static func repaired(_ document: [UInt8]) -> [UInt8] {
    let source = Array(String(decoding: document, as: UTF8.self).utf8)
    var output: [UInt8] = []
    output.reserveCapacity(source.count + 16)
    var position = 0
    var inString = false
    while position < source.count {
      let byte = source[position]
      guard inString else {
        inString = byte == UInt8(ascii: "\"")
        output.append(byte)
        position += 1
        continue
      }
      switch byte {
      case UInt8(ascii: "\""):
        inString = false
        output.append(byte)
        position += 1
      case UInt8(ascii: "\\"):
        position = copyEscape(of: source, at: position, to: &output)
      case 0..<0x20:
        output += Array("\\u00".utf8)
        output.append(hexDigit(byte >> 4))
        output.append(hexDigit(byte & 15))
        position += 1
      default:
        output.append(byte)
        position += 1
      }
    }
    return output
  }

  /// Copies the escape at `position`, and a surrogate without its other half as `\uFFFD`; returns the position after
  /// it.
  private static func copyEscape(of source: [UInt8], at position: Int, to output: inout [UInt8]) -> Int {
    guard let unit = codeUnit(of: source, at: position) else {
      let end = min(position + 2, source.count)
      output += source[position..<end]
      return end
    }
    if (0xD800...0xDBFF).contains(unit), let low = codeUnit(of: source, at: position + 6),
      (0xDC00...0xDFFF).contains(low)
    {
      output += source[position..<position + 12]
      return position + 12
    }
    if (0xD800...0xDFFF).contains(unit) {
      output += Array("\\uFFFD".utf8)
    } else {
      output += source[position..<position + 6]
    }
    return position + 6
  }

  /// Returns the code unit of a `\uXXXX` at `position`; nil if there is none.
  private static func codeUnit(of source: [UInt8], at position: Int) -> UInt16? {
    guard position + 6 <= source.count, source[position] == UInt8(ascii: "\\"),
      source[position + 1] == UInt8(ascii: "u")
    else { return nil }
    var value: UInt16 = 0
    for byte in source[position + 2..<position + 6] {
      guard let digit = hexValue(byte) else { return nil }
      value = value << 4 | UInt16(digit)
    }
    return value
  }

  private static func hexValue(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39: byte - 0x30
    case 0x41...0x46: byte - 0x41 + 10
    case 0x61...0x66: byte - 0x61 + 10
    default: nil
    }
  }

  private static func hexDigit(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 + value : 0x61 + value - 10 }
}
