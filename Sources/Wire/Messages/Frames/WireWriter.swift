/// Somewhere to write protobuf's wire format to (https://protobuf.dev/programming-guides/encoding/), for the messages
/// that are put together from parts with bytes of their own; the parts are packed by protobuf-c. As in proto3 a number
/// that is 0 is not written.
protocol WireOutput {
  /// Writes a byte.
  mutating func put(_ byte: UInt8)
}

extension WireOutput {
  /// An unsigned number, an enum or a bool.
  mutating func varint(_ field: UInt64, _ value: UInt64) {
    if value != 0 { presentVarint(field, value) }
  }

  /// A number of which 0 is written too: the case of a `oneof`.
  mutating func presentVarint(_ field: UInt64, _ value: UInt64) {
    put(number: field << 3)
    put(number: value)
  }

  /// A `sint64`.
  mutating func zigzag(_ field: UInt64, _ value: Int64) {
    varint(field, UInt64(bitPattern: (value << 1) ^ (value >> 63)))
  }

  /// A `fixed64`.
  mutating func fixed64(_ field: UInt64, _ value: UInt64) {
    guard value != 0 else { return }
    put(number: field << 3 | 1)
    for shift in stride(from: 0, to: 64, by: 8) { put(UInt8(truncatingIfNeeded: value >> shift)) }
  }

  /// A number in groups of seven bits, the lowest first.
  mutating func put(number: UInt64) {
    var rest = number
    while rest >= 0x80 {
      put(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    put(UInt8(truncatingIfNeeded: rest))
  }
}

/// Bytes of any number.
struct WireWriter: WireOutput {
  private(set) var output: [UInt8] = []

  /// A writer of nothing yet, with room for `capacity` bytes.
  init(capacity: Int = 0) { output.reserveCapacity(capacity) }

  /// A message of one field that is a message: a `oneof` with one case set.
  static func message(_ field: UInt64, _ content: [UInt8]) -> [UInt8] {
    var writer = WireWriter(capacity: content.count + 6)
    writer.bytes(field, content)
    return writer.output
  }

  mutating func put(_ byte: UInt8) { output.append(byte) }

  /// A string, bytes, or a message; written even if it is empty.
  mutating func bytes(_ field: UInt64, _ content: [UInt8]) {
    put(number: field << 3 | 2)
    put(number: UInt64(content.count))
    output += content
  }

  /// Fields that are encoded already.
  mutating func append(_ fields: [UInt8]) { output += fields }

  /// Fields that are encoded already.
  mutating func append(_ numbers: WireNumbers) {
    unsafe numbers.bytes.span.withUnsafeBufferPointer { buffer in
      unsafe output.append(contentsOf: UnsafeBufferPointer(rebasing: buffer[..<numbers.count]))
    }
  }
}

/// A few numbers, beside each other on the stack: every frame of every view begins and ends with some.
struct WireNumbers: WireOutput {
  /// A frame has at most 71 bytes of numbers before its operations, and fewer behind them.
  fileprivate var bytes = InlineArray<80, UInt8>(repeating: 0)
  private(set) var count = 0

  /// None yet.
  init() {}

  mutating func put(_ byte: UInt8) {
    bytes[count] = byte
    count += 1
  }
}
