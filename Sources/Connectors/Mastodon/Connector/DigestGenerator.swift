internal import Codecs

/// Random numbers that nobody can guess who does not know the seed: SHA-256 of the seed and a counter.
struct DigestGenerator: RandomNumberGenerator {
  private let seed: [UInt8]
  private var counter: UInt64 = 0

  /// - Parameter seed: 32 bytes that nobody can guess.
  init(seed: [UInt8]) { self.seed = seed }

  mutating func next() -> UInt64 {
    counter += 1
    let count = stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: counter >> UInt64($0)) }
    return SHA256.digest(of: seed + count).prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
  }
}
