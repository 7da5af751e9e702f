/// Variable-length integers: seven bits a byte, the lowest first (LEB128; protobuf calls them varints).
public enum Varint {
  /// Appends a number to `bytes`: 1 to 10 bytes.
  public static func append(_ value: UInt64, to bytes: inout [UInt8]) {
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
  }

  /// Appends a signed number, short if it is close to 0: 0, -1, 1, -2, … become 0, 1, 2, 3, …
  public static func append(signed value: Int64, to bytes: inout [UInt8]) {
    append(UInt64(bitPattern: value << 1 ^ value >> 63), to: &bytes)
  }

  /// Reads the number at `position` and moves `position` past it. A truncated number reads as its bytes so far.
  @inline(__always)
  public static func read(_ bytes: Swift.Span<UInt8>, at position: inout Int) -> UInt64 {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while position < bytes.count {
      let byte = bytes[position]
      position &+= 1
      value |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { break }
      shift &+= 7
    }
    return value
  }

  /// Reads a signed number and moves `position` past it.
  public static func readSigned(_ bytes: Swift.Span<UInt8>, at position: inout Int) -> Int64 {
    let value = read(bytes, at: &position)
    return Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
  }
}
