/// A hash of parts of an item: FNV-1a (Fowler, Noll, Vo), each part followed by a byte 0.
struct ItemHash: Hashable {
  private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

  init(_ parts: [UInt8]...) { for part in parts { add(part) } }

  /// Adds a part.
  mutating func add(_ part: some Sequence<UInt8>) {
    for byte in part { value = (value ^ UInt64(byte)) &* Self.prime }
    value = value &* Self.prime
  }

  /// The hash in so many bits.
  func folded(bits: Int) -> UInt64 { (value ^ (value >> UInt64(bits))) & (1 << UInt64(bits) - 1) }

  private static let prime: UInt64 = 0x0000_0100_0000_01B3
}
