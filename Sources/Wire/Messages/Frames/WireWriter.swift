/// A destination for protobuf's wire format (https://protobuf.dev/programming-guides/encoding/), for messages assembled
/// from parts that are already encoded; the parts are packed by protobuf-c. As in proto3, a number that is 0 is not
/// written.
protocol WireOutput {
  /// Writes a byte.
  mutating func put(_ byte: UInt8)
}

extension WireOutput {
  /// Writes an unsigned number, an enum or a bool.
  mutating func varint(_ field: UInt64, _ value: UInt64) {
    if value != 0 { presentVarint(field, value) }
  }

  /// Writes a number even if it is 0: a case of a `oneof`.
  mutating func presentVarint(_ field: UInt64, _ value: UInt64) {
    put(number: field << 3)
    put(number: value)
  }

  /// Writes a `sint64`.
  mutating func zigzag(_ field: UInt64, _ value: Int64) {
    varint(field, UInt64(bitPattern: (value << 1) ^ (value >> 63)))
  }

  /// Writes a `fixed64`.
  mutating func fixed64(_ field: UInt64, _ value: UInt64) {
    guard value != 0 else { return }
    put(number: field << 3 | 1)
    for shift in stride(from: 0, to: 64, by: 8) { put(UInt8(truncatingIfNeeded: value >> shift)) }
  }

  /// Writes a number in groups of seven bits, lowest first.
  mutating func put(number: UInt64) {
    var rest = number
    while rest >= 0x80 {
      put(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    put(UInt8(truncatingIfNeeded: rest))
  }
}

/// A growing byte buffer.
struct WireWriter: WireOutput {
  private(set) var output: [UInt8] = []

  /// An empty writer with capacity for `capacity` bytes.
  init(capacity: Int = 0) { output.reserveCapacity(capacity) }

  /// Returns a message whose only field is a message: a `oneof` with one case set.
  static func message(_ field: UInt64, _ content: [UInt8]) -> [UInt8] {
    var writer = WireWriter(capacity: content.count + 6)
    writer.bytes(field, content)
    return writer.output
  }

  mutating func put(_ byte: UInt8) { output.append(byte) }

  /// Writes a string, bytes, or a message, even if it is empty.
  mutating func bytes(_ field: UInt64, _ content: [UInt8]) {
    put(number: field << 3 | 2)
    put(number: UInt64(content.count))
    output += content
  }

  /// Appends encoded fields.
  mutating func append(_ fields: [UInt8]) { output += fields }

  /// Appends encoded fields.
  mutating func append(_ numbers: WireNumbers) {
    unsafe numbers.bytes.span.withUnsafeBufferPointer { buffer in
      unsafe output.append(contentsOf: UnsafeBufferPointer(rebasing: buffer[..<numbers.count]))
    }
  }
}

/// A few numbers in a fixed buffer on the stack: every frame of every view begins and ends with some.
struct WireNumbers: WireOutput {
  /// A frame has at most 71 bytes of numbers before its operations, and fewer after them.
  fileprivate var bytes = InlineArray<80, UInt8>(repeating: 0)
  private(set) var count = 0

  init() {}

  mutating func put(_ byte: UInt8) {
    bytes[count] = byte
    count += 1
  }
}
