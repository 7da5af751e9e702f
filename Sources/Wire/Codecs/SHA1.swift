/// SHA-1 (FIPS 180-4), for the handshake of WebSocket (RFC 6455, section 1.3), which needs no security of it.
public enum SHA1 {
  /// Returns the 20-byte digest of `message`. O(bytes).
  public static func digest(of message: [UInt8]) -> [UInt8] {
    var state: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0]
    let padded = DigestBlocks.padded(message)
    for block in stride(from: 0, to: padded.count, by: 64) { compress(padded[block..<block + 64], into: &state) }
    return DigestBlocks.bytes(of: state)
  }

  /// Processes one block (FIPS 180-4, section 6.1.2).
  private static func compress(_ block: ArraySlice<UInt8>, into state: inout [UInt32]) {
    var words = DigestBlocks.words(of: block, capacity: 80)
    for index in 16..<80 {
      words.append(rotate(words[index - 3] ^ words[index - 8] ^ words[index - 14] ^ words[index - 16], 1))
    }
    var (a, b, c, d, e) = (state[0], state[1], state[2], state[3], state[4])
    for index in 0..<80 {
      let (mix, constant): (UInt32, UInt32) =
        switch index {
        case ..<20: (b & c ^ ~b & d, 0x5A82_7999)
        case ..<40: (b ^ c ^ d, 0x6ED9_EBA1)
        case ..<60: (b & c ^ b & d ^ c & d, 0x8F1B_BCDC)
        default: (b ^ c ^ d, 0xCA62_C1D6)
        }
      let next = rotate(a, 5) &+ mix &+ e &+ constant &+ words[index]
      (e, d, c, b, a) = (d, c, rotate(b, 30), a, next)
    }
    for (index, word) in [a, b, c, d, e].enumerated() { state[index] &+= word }
  }

  private static func rotate(_ word: UInt32, _ bits: UInt32) -> UInt32 { word << bits | word >> (32 - bits) }
}
