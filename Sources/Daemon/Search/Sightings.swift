/// About how often each token was seen of late: a count for all tokens with the same low end of their number, halved
/// when one is full.
struct Sightings {
  private var counts: [UInt16] = Array(repeating: 0, count: 4_096)

  /// Counts a token.
  @inline(__always)
  mutating func note(_ hash: UInt64) {
    let place = Int(truncatingIfNeeded: hash >> 20) & 4_095
    counts[place] &+= 1
    if counts[place] == .max { halve() }
  }

  /// About how often it was seen.
  func count(_ hash: UInt64) -> UInt16 { counts[Int(truncatingIfNeeded: hash >> 20) & 4_095] }

  private mutating func halve() {
    for place in counts.indices { counts[place] /= 2 }
  }
}
