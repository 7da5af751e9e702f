/// Refuses a message in which text `name`, field `number`, holds a NUL: protobuf-c ends a string there, and what
/// follows would be lost without a word. With `outer` the text is a field of that field's message. Bytes that are no
/// message are left to those who unpack it. O(bytes).
func refuseNUL(
  in bytes: [UInt8], outer: UInt64? = nil, field number: UInt64, _ name: String
) throws(DecodingFailure) {
  var position = 0

  func varint() -> UInt64? {
    var value: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 64, by: 7) {
      guard position < bytes.count else { return nil }
      let byte = bytes[position]
      position += 1
      value |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return value }
    }
    return nil
  }

  while let tag = varint() {
    switch tag & 7 {
    case 0: guard varint() != nil else { return }
    case 1: position += 8
    case 2:
      guard let length = varint(), length <= UInt64(bytes.count - position) else { return }
      let end = position + Int(length)
      if let outer {
        if tag >> 3 == outer { try refuseNUL(in: Array(bytes[position..<end]), field: number, name) }
      } else if tag >> 3 == number, bytes[position..<end].contains(0) {
        throw DecodingFailure(field: name, "holds a NUL character (U+0000): leave it out")
      }
      position = end
    case 5: position += 4
    default: return
    }
    guard position <= bytes.count else { return }
  }
}
