/// The approximate recent frequency of each token: a count for all tokens that share some bits of their hash. All
/// counts are halved when one is full.
struct Sightings {
  private var counts: [UInt16] = Array(repeating: 0, count: 4_096)

  /// Counts an occurrence of a token.
  @inline(__always)
  mutating func count(tokenHash hash: UInt64) {
    let place = Int(truncatingIfNeeded: hash >> 20) & 4_095
    counts[place] &+= 1
    if counts[place] == .max { halve() }
  }

  /// Returns the approximate frequency of a token.
  func frequency(of hash: UInt64) -> UInt16 { counts[Int(truncatingIfNeeded: hash >> 20) & 4_095] }

  private mutating func halve() {
    for place in counts.indices { counts[place] /= 2 }
  }
}
