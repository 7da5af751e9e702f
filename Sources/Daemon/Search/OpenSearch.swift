internal import Dates

/// A query as ``SearchIndex`` evaluates it, with the hashes of its tokens. A class, because it is read for many posts
/// and never changes.
final class OpenSearch: Sendable {
  let query: SearchQuery
  /// The hashes of the tokens of each term.
  private let required: [[UInt64]]
  private let excluded: [[UInt64]]
  /// True if a term is a prefix and not only whole tokens.
  let hasPrefix: Bool

  /// Hashes the tokens of `query`.
  init(_ query: SearchQuery) {
    self.query = query
    required = query.required.map { $0.tokens.map { tokenHash($0, $0.indices) } }
    excluded = query.excluded.map { $0.tokens.map { tokenHash($0, $0.indices) } }
    hasPrefix = (query.required + query.excluded).contains(where: \.isPrefix)
  }

  /// Returns the key of searches for a token that begins with a character.
  static func key(prefix hash: UInt64) -> UInt64 { hash ^ 0x9E37_79B9_7F4A_7C15 }

  /// Returns the key of an author.
  static func key(author handle: [UInt8]) -> UInt64 { tokenHash(handle, handle.indices) ^ 0xC2B2_AE3D_27D4_EB4F }

  /// True if the search finds a post by an author with these names.
  func finds(_ tokens: inout PostTokens, _ instant: Instant, _ names: [[UInt8]]) -> Bool {
    if let after = query.after, instant < after { return false }
    if let before = query.before, instant >= before { return false }
    if !query.authors.isEmpty && !names.contains(where: query.authors.contains) { return false }
    if names.contains(where: query.excludedAuthors.contains) { return false }
    for index in required.indices where !tokens.contains(query.required[index], required[index]) { return false }
    for index in excluded.indices where tokens.contains(query.excluded[index], excluded[index]) { return false }
    return true
  }

  /// Returns the keys under which the search is evaluated least often: those of its authors; otherwise that of its
  /// least frequent token, of several the longest. Empty if nothing is required.
  func rarestKeys(_ sightings: Sightings) -> [UInt64] {
    if !query.authors.isEmpty { return query.authors.map { Self.key(author: $0) } }
    var rarest: (key: UInt64, sightings: UInt16, length: Int)?
    for (term, hashes) in zip(query.required, required) {
      for (index, hash) in hashes.enumerated() {
        let isPrefix = term.isPrefix && index == hashes.count - 1
        if isPrefix && hashes.count > 1 { continue }
        // Prefixes are not counted, so a whole token is preferred.
        let seen = isPrefix ? .max : sightings.frequency(of: hash)
        let length = term.tokens[index].count
        if let rarest, (rarest.sightings, -rarest.length) <= (seen, -length) { continue }
        rarest = (isPrefix ? Self.key(prefix: hash) : hash, seen, length)
      }
    }
    return rarest.map { [$0.key] } ?? []
  }
}
