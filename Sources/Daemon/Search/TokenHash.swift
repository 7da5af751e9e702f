/// Returns the hash of a token: FNV-1a, with a final step that mixes all bits.
///
/// Equal hashes prove nothing, so callers compare the tokens. Tokens crafted to collide make matching slower, but not
/// wrong.
@inline(__always)
func tokenHash(_ bytes: [UInt8], _ range: Range<Int>) -> UInt64 {
  let hash = fnv1a(bytes, range)
  return hash ^ hash >> 32
}

/// Returns the hash FNV-1a of 64 bits (Fowler, Noll, Vo). O(n).
public func fnv1a(_ bytes: [UInt8]) -> UInt64 { fnv1a(bytes, bytes.indices) }

@inline(__always)
private func fnv1a(_ bytes: [UInt8], _ range: Range<Int>) -> UInt64 {
  var hash: UInt64 = 0xCBF2_9CE4_8422_2325
  for index in range { hash = (hash ^ UInt64(bytes[index])) &* 0x100_0000_01B3 }
  return hash
}
