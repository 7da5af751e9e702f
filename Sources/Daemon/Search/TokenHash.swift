/// A number for a token, by which most others are told apart at once. FNV-1a of 64 bits, with a last step that spreads
/// it over all bits.
///
/// Equal numbers prove nothing, so whoever finds them compares the tokens; somebody who makes tokens with equal numbers
/// makes that slower, and nothing else.
@inline(__always)
func tokenHash(_ bytes: [UInt8], _ range: Range<Int>) -> UInt64 {
  var hash: UInt64 = 0xCBF2_9CE4_8422_2325
  for index in range { hash = (hash ^ UInt64(bytes[index])) &* 0x100_0000_01B3 }
  return hash ^ hash >> 32
}
