internal import Posts

/// The tokens of the post being matched, found by content through a hash table, which is rebuilt for each post in
/// reused memory.
struct PostTokens {
  /// The tokens in their order.
  private(set) var text = SearchText()
  /// The hash of each token.
  private(set) var hashes: [UInt64] = []
  /// For each token of a script without spaces, the hash of its first character, else 0; empty if no search needs them.
  private(set) var firsts: [UInt64] = []
  /// The first token of each bucket, plus one; empty until a lookup.
  private var buckets: [Int32] = []
  /// The next token of the same bucket, plus one: first for `hashes`, then for `firsts`.
  private var next: [Int32] = []
  private var isIndexed = false

  /// Reads another post. `withFirsts` is required if a term is a prefix. O(length).
  mutating func read(
    _ body: PostBody, marks: PostMarks = .none, owner: AccountID, withFirsts: Bool
  ) {
    text.read(body)
    text.add(marks: marks, owner: owner, imported: body.flags)
    isIndexed = false
    hashes.removeAll(keepingCapacity: true)
    firsts.removeAll(keepingCapacity: true)
    for token in 0..<text.count {
      let range = text.range(token)
      hashes.append(tokenHash(text.bytes, range))
      if withFirsts { firsts.append(firstHash(range)) }
    }
  }

  /// True if the post has the tokens of `term` in sequence. O(tokens) for the first call after a post is read, then
  /// O(occurrences of the first token).
  mutating func contains(_ term: SearchTerm, _ termHashes: [UInt64]) -> Bool {
    if !isIndexed { index() }
    let isPrefixAlone = term.isPrefix && termHashes.count == 1
    let offset = isPrefixAlone ? hashes.count : 0
    var place = buckets[bucket(termHashes[0])]
    while place != 0 {
      let token = Int(place) - 1 - offset
      if token >= 0, token < hashes.count, matches(term, termHashes, at: token) { return true }
      place = next[Int(place) - 1]
    }
    return false
  }

  private func matches(_ term: SearchTerm, _ termHashes: [UInt64], at start: Int) -> Bool {
    guard start + termHashes.count <= hashes.count else { return false }
    for index in termHashes.indices {
      let isPrefix = term.isPrefix && index == termHashes.count - 1
      guard termHashes[index] == (isPrefix ? firsts[start + index] : hashes[start + index]) else { return false }
      let token = text.bytes[text.range(start + index)]
      guard isPrefix ? token.starts(with: term.tokens[index]) : token.elementsEqual(term.tokens[index]) else {
        return false
      }
    }
    return true
  }

  private mutating func index() {
    isIndexed = true
    var size = 64
    while size < 2 * hashes.count { size *= 2 }
    buckets.removeAll(keepingCapacity: true)
    buckets.append(contentsOf: repeatElement(0, count: size))
    next.removeAll(keepingCapacity: true)
    for hash in hashes { link(hash) }
    for hash in firsts { link(hash) }
  }

  private mutating func link(_ hash: UInt64) {
    let bucket = bucket(hash)
    next.append(hash == 0 ? 0 : buckets[bucket])
    if hash != 0 { buckets[bucket] = Int32(next.count) }
  }

  private func bucket(_ hash: UInt64) -> Int { Int(truncatingIfNeeded: hash) & (buckets.count - 1) }

  /// Returns the hash of the first character of a token of a script without spaces; 0 for other tokens.
  private func firstHash(_ range: Range<Int>) -> UInt64 {
    let length = SearchText.firstGram(text.bytes.span.extracting(range))
    return length == 0 ? 0 : tokenHash(text.bytes, range.lowerBound..<range.lowerBound + length)
  }
}
