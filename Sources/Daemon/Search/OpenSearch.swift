internal import Dates

/// A query as ``SearchIndex`` keeps it.
struct OpenSearch {
  let query: SearchQuery
  /// Where it waits: several where it has several `from:`, none where it requires nothing.
  var keys: [UInt64] = []
  /// The last turn in which it was checked.
  var lastTurn = 0
  /// How often in vain since its keys were chosen.
  private var misses = 0
  /// The numbers of the tokens of each term.
  private let required: [[UInt64]]
  private let excluded: [[UInt64]]

  /// Checks in vain after which a rarer key is looked for.
  private static let missLimit = 256

  init(_ query: SearchQuery) {
    self.query = query
    required = query.required.map(Self.hashes)
    excluded = query.excluded.map(Self.hashes)
  }

  private static func hashes(_ term: SearchTerm) -> [UInt64] { term.tokens.map { tokenHash($0, $0.indices) } }

  /// The key of those whose token begins with a character.
  static func key(prefix hash: UInt64) -> UInt64 { hash ^ 0x9E37_79B9_7F4A_7C15 }

  /// The key of an author.
  static func key(author handle: [UInt8]) -> UInt64 { tokenHash(handle, handle.indices) ^ 0xC2B2_AE3D_27D4_EB4F }

  /// Whether it finds a post.
  func finds(_ tokens: inout PostTokens, _ instant: Instant, _ handle: [UInt8]) -> Bool {
    if let after = query.after, instant < after { return false }
    if let before = query.before, instant >= before { return false }
    if !query.authors.isEmpty && !query.authors.contains(handle) { return false }
    if query.excludedAuthors.contains(handle) { return false }
    for index in required.indices where !tokens.contains(query.required[index], required[index]) { return false }
    for index in excluded.indices where tokens.contains(query.excluded[index], excluded[index]) { return false }
    return true
  }

  /// Notes that it was checked in vain; true when that has been often.
  mutating func missed() -> Bool {
    misses += 1
    guard misses > Self.missLimit else { return false }
    misses = 0
    return true
  }

  /// Where it is checked least often: under its authors, else under the token that was seen least, the longest of several.
  func rarestKeys(_ sightings: Sightings) -> [UInt64] {
    if !query.authors.isEmpty { return query.authors.map { Self.key(author: $0) } }
    var rarest: (key: UInt64, sightings: UInt16, length: Int)?
    for (term, hashes) in zip(query.required, required) {
      for (index, hash) in hashes.enumerated() {
        let isPrefix = term.isPrefix && index == hashes.count - 1
        if isPrefix && hashes.count > 1 { continue }
        // How often a character begins a token is not counted, so a whole token is preferred.
        let seen = isPrefix ? .max : sightings.count(hash)
        let length = term.tokens[index].count
        if let rarest, (rarest.sightings, -rarest.length) <= (seen, -length) { continue }
        rarest = (isPrefix ? Self.key(prefix: hash) : hash, seen, length)
      }
    }
    return rarest.map { [$0.key] } ?? []
  }
}
