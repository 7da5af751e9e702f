/// SipHash-2-4 (Aumasson and Bernstein, https://www.aumasson.jp/siphash/siphash.pdf): a 64-bit hash of bytes that is
/// the same in every process and on every machine, and hard to steer without the key.
struct Fingerprint {
  private let key: (UInt64, UInt64)

  /// Creates fingerprints with a key of 128 bits.
  init(key: (UInt64, UInt64)) { self.key = key }

  /// Creates fingerprints for one epoch of a daemon's history; they are not comparable with those of other epochs.
  init(epoch: UInt64) { self.init(key: (epoch, 0x5374_6163_6B20_3031)) }

  /// Returns the fingerprint of `bytes`. O(count).
  func of(_ bytes: [UInt8]) -> UInt64 {
    var state = State(key)
    var index = 0
    while bytes.count - index >= 8 {
      var word: UInt64 = 0
      for offset in 0..<8 { word |= UInt64(bytes[index + offset]) << UInt64(8 * offset) }
      state.absorb(word)
      index += 8
    }
    // The last word holds the remaining bytes, and the length in its highest byte.
    var word = UInt64(truncatingIfNeeded: bytes.count) << 56
    for offset in 0..<(bytes.count - index) { word |= UInt64(bytes[index + offset]) << UInt64(8 * offset) }
    state.absorb(word)
    return state.finished()
  }

  private struct State {
    private var a: UInt64
    private var b: UInt64
    private var c: UInt64
    private var d: UInt64

    init(_ key: (UInt64, UInt64)) {
      a = key.0 ^ 0x736F_6D65_7073_6575
      b = key.1 ^ 0x646F_7261_6E64_6F6D
      c = key.0 ^ 0x6C79_6765_6E65_7261
      d = key.1 ^ 0x7465_6462_7974_6573
    }

    mutating func absorb(_ word: UInt64) {
      d ^= word
      round()
      round()
      a ^= word
    }

    mutating func finished() -> UInt64 {
      c ^= 0xFF
      for _ in 0..<4 { round() }
      return a ^ b ^ c ^ d
    }

    private mutating func round() {
      a &+= b
      c &+= d
      b = b.rotated(13) ^ a
      d = d.rotated(16) ^ c
      a = a.rotated(32)
      a &+= d
      c &+= b
      d = d.rotated(21) ^ a
      b = b.rotated(17) ^ c
      c = c.rotated(32)
    }
  }
}

extension UInt64 {
  fileprivate func rotated(_ bits: UInt64) -> UInt64 { self << bits | self >> (64 - bits) }
}
