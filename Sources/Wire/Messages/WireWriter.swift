/// Writes protobuf's wire format (https://protobuf.dev/programming-guides/encoding/) for the messages that are put together from
/// parts with bytes of their own; the parts are packed by protobuf-c. As in proto3 a number that is 0 is not written.
struct WireWriter {
  private(set) var output: [UInt8] = []

  /// A writer of nothing yet, with room for `capacity` bytes.
  init(capacity: Int = 0) { output.reserveCapacity(capacity) }

  /// A message of one field that is a message: a `oneof` with one case set.
  static func message(_ field: UInt64, _ content: [UInt8]) -> [UInt8] {
    var writer = WireWriter(capacity: content.count + 6)
    writer.bytes(field, content)
    return writer.output
  }

  /// An unsigned number, an enum or a bool.
  mutating func varint(_ field: UInt64, _ value: UInt64) {
    guard value != 0 else { return }
    append(field << 3)
    append(value)
  }

  /// A `sint64`.
  mutating func zigzag(_ field: UInt64, _ value: Int64) {
    varint(field, UInt64(bitPattern: (value << 1) ^ (value >> 63)))
  }

  /// A `fixed64`.
  mutating func fixed64(_ field: UInt64, _ value: UInt64) {
    guard value != 0 else { return }
    append(field << 3 | 1)
    for shift in stride(from: 0, to: 64, by: 8) { output.append(UInt8(truncatingIfNeeded: value >> shift)) }
  }

  /// A string, bytes, or a message; written even if it is empty.
  mutating func bytes(_ field: UInt64, _ content: [UInt8]) {
    append(field << 3 | 2)
    append(UInt64(content.count))
    output += content
  }

  /// Fields that are encoded already.
  mutating func append(_ fields: [UInt8]) { output += fields }

  private mutating func append(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      output.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    output.append(UInt8(truncatingIfNeeded: rest))
  }
}
