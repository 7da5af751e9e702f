/// Searches for bytes eight at a time (Hacker's Delight, 2nd edition, section 6-1).
enum WordScan {
  /// Moves `index` to the next quote or backslash of `chunk`, or to its end.
  static func skipStringContent(_ chunk: Swift.Span<UInt8>, _ index: inout Int) {
    let bytes = unsafe chunk.bytes
    while index &+ 8 <= bytes.byteCount {
      let word = unsafe UInt64(littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self))
      let hits = zeros(word ^ (ones &* 0x22)) | zeros(word ^ (ones &* 0x5C))
      if hits != 0 {
        index &+= hits.trailingZeroBitCount / 8
        return
      }
      index &+= 8
    }
    while index < chunk.count, chunk[index] != 0x22, chunk[index] != 0x5C { index &+= 1 }
  }

  /// Moves `index` to the next quote or bracket of `chunk`, or to its end. Brackets are 0x5B, 0x5D, 0x7B and 0x7D:
  /// square and curly ones differ in the bit 0x20.
  static func skipBetweenBrackets(_ chunk: Swift.Span<UInt8>, _ index: inout Int) {
    let bytes = unsafe chunk.bytes
    while index &+ 8 <= bytes.byteCount {
      let word = unsafe UInt64(littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self))
      let folded = word & (ones &* 0xDF)
      let hits = zeros(word ^ (ones &* 0x22)) | zeros(folded ^ (ones &* 0x5B)) | zeros(folded ^ (ones &* 0x5D))
      if hits != 0 {
        index &+= hits.trailingZeroBitCount / 8
        return
      }
      index &+= 8
    }
    while index < chunk.count, chunk[index] != 0x22, chunk[index] & 0xDF != 0x5B, chunk[index] & 0xDF != 0x5D {
      index &+= 1
    }
  }

  /// Returns the number of line feeds in `chunk`.
  static func lineFeeds(in chunk: Swift.Span<UInt8>) -> Int {
    let bytes = unsafe chunk.bytes
    var count = 0
    var index = 0
    while index &+ 8 <= bytes.byteCount {
      let word = unsafe UInt64(littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self))
      let other = word ^ (ones &* 0x0A)
      // The top bit of each zero byte and no other; their sum is the top byte of the product.
      let hits = ~((other & (ones &* 0x7F)) &+ (ones &* 0x7F) | other) & (ones &* 0x80)
      count &+= Int(truncatingIfNeeded: ((hits &>> 7) &* ones) &>> 56)
      index &+= 8
    }
    while index < chunk.count {
      count &+= chunk[index] == 0x0A ? 1 : 0
      index &+= 1
    }
    return count
  }

  private static let ones: UInt64 = 0x0101_0101_0101_0101

  /// Returns the top bit of each zero byte of `word`. Higher bits may be set by mistake, so only the lowest is
  /// reliable.
  private static func zeros(_ word: UInt64) -> UInt64 { (word &- ones) & ~word & (ones &* 0x80) }
}
