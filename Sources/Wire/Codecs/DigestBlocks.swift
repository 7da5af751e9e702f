/// What SHA-1 and SHA-256 have in common (FIPS 180-4, section 5): messages as blocks of 64 bytes, and digests as words.
enum DigestBlocks {
  /// Returns a message with a one bit, zeros, and its length in bits, padded to whole blocks (section 5.1.1).
  static func padded(_ message: [UInt8]) -> [UInt8] {
    let zeros = (64 + 55 - message.count % 64) % 64
    let length = UInt64(message.count) * 8
    return message + [0x80] + [UInt8](repeating: 0, count: zeros)
      + stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: length >> UInt64($0)) }
  }

  /// Returns the 16 words of a block, with room for those that are derived from them.
  static func words(of block: ArraySlice<UInt8>, capacity: Int) -> [UInt32] {
    var words: [UInt32] = []
    words.reserveCapacity(capacity)
    for start in stride(from: block.startIndex, to: block.endIndex, by: 4) {
      words.append(block[start..<start + 4].reduce(0) { $0 << 8 | UInt32($1) })
    }
    return words
  }

  /// Returns the digest that is the end state of the words.
  static func bytes(of state: [UInt32]) -> [UInt8] {
    state.flatMap { word in
      stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: word >> UInt32($0)) }
    }
  }
}
