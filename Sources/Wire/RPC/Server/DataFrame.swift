/// The DATA frames that a server writes itself (ADR 0009).
enum DataFrame {
  /// Maximum bytes of a frame: what every peer accepts (RFC 9113, section 4.2), and small enough for calls to take turns.
  static let maximumBytes = 16384

  /// Adds the header of a frame of `count` bytes to the end of a buffer.
  static func appendHeader(of count: Int, _ stream: Int32, to output: inout [UInt8]) {
    // Length (24 bits), type 0, no flags, stream: RFC 9113, sections 4.1 and 6.1.
    let place = UInt32(bitPattern: stream)
    let header: InlineArray<9, UInt8> = [
      UInt8(truncatingIfNeeded: count >> 16), UInt8(truncatingIfNeeded: count >> 8), UInt8(truncatingIfNeeded: count),
      0, 0,
      UInt8(truncatingIfNeeded: place >> 24), UInt8(truncatingIfNeeded: place >> 16),
      UInt8(truncatingIfNeeded: place >> 8),
      UInt8(truncatingIfNeeded: place),
    ]
    unsafe header.span.bytes.append(to: &output)
  }
}
