internal import CXML

/// The encodings that the C library knows through iconv.
enum EncodingTable {
  /// The longest name of an encoding in bytes.
  private static let nameBytes = 40

  /// Converts bytes to UTF-8; each invalid byte becomes U+FFFD. Nil for an unknown encoding. O(length).
  static func decode(_ bytes: [UInt8], from name: String) -> [UInt8]? {
    // A slash would begin options of iconv.
    let isName = name.utf8.allSatisfy {
      0x30...0x39 ~= $0 || 0x61...0x7A ~= $0 | 0x20 || [0x2D, 0x2E, 0x3A, 0x5F].contains($0)
    }
    guard isName, 1...nameBytes ~= name.utf8.count, let converter = unsafe iconv_open("UTF-8", name),
      unsafe converter != UnsafeMutableRawPointer(bitPattern: -1)
    else { return nil }
    defer { unsafe iconv_close(converter) }
    var bytes = bytes
    var output: [UInt8] = []
    output.reserveCapacity(bytes.count + bytes.count / 2)
    unsafe bytes.withUnsafeMutableBytes { input in
      var start = unsafe input.baseAddress?.assumingMemoryBound(to: CChar.self)
      var left = input.count
      while left > 0 {
        let before = left
        unsafe convert(converter, &start, &left, to: &output)
        // Nothing was taken: the byte is invalid, or begins a character in which the document ends.
        if left == before {
          output += UTF8.encodedReplacementCharacter
          unsafe start = start?.successor()
          left -= 1
        }
      }
    }
    return output
  }

  /// Converts as much as fits into one buffer, up to the first invalid byte.
  @unsafe private static func convert(
    _ converter: UnsafeMutableRawPointer, _ start: inout UnsafeMutablePointer<CChar>?, _ left: inout Int,
    to output: inout [UInt8]
  ) {
    let size = 16 << 10
    unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: size) { buffer in
      var end = buffer.baseAddress
      var room = size
      _ = unsafe iconv(converter, &start, &left, &end, &room)
      unsafe output += UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer)[..<(size - room)])
    }
  }
}
