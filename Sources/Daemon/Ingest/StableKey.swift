/// A key for items without an ID: the same item has the same key in every import.
enum StableKey {
  /// Returns `hash:` and 32 hexadecimal digits: the 128-bit FNV-1a (Fowler, Noll, Vo) of `parts`, each followed by a
  /// byte 0.
  static func make(_ parts: String...) -> String {
    var hash: UInt128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d
    for part in parts {
      for byte in part.utf8 { hash = (hash ^ UInt128(byte)) &* prime }
      hash = hash &* prime
    }
    let digits = String(hash, radix: 16)
    return "hash:" + String(repeating: "0", count: 32 - digits.count) + digits
  }

  private static let prime: UInt128 = 0x0000_0000_0100_0000_0000_0000_0000_013B
}
