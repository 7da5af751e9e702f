internal import Dates
internal import Posts
internal import Search

/// Finds differences between the search index and the posts.
struct SearchIndexCheck {
  private let connection: Connection

  init(_ connection: Connection) { self.connection = connection }

  /// Returns one line per problem; at most `limit`. Reads the whole index, each token with its row and position, and
  /// compares the checksum of each row.
  func findings(limit: Int) throws(StoreError) -> [String] {
    guard var sums = try sumsOfIndex() else { return ["search index: cannot be read"] }
    var text = SearchText()
    let posts = try connection.prepare(
      """
      SELECT p.created_at, p.author_id, p.audience, p.body, p.owner_id, p.marks, p.id, k.key
      FROM search_posts k CROSS JOIN posts p ON p.id = k.post_id
      """)
    var findings: [String] = []
    while try posts.step() {
      let post = SearchedPost(row: posts)
      let id = PostID(posts.integer(6))
      let key = posts.integer(7)
      let isInPlace = key == SearchKey.overflow(id) || SearchKey.bucket(post.createdAt).contains(key)
      let sum = sums.removeValue(forKey: key)
      guard !isInPlace || sum != Self.sum(of: post.document(&text)), findings.count < limit else {
        continue
      }
      findings.append("search index (post): (\(id.rawValue)) is wrong")
    }
    if !sums.isEmpty { findings.append("search index: \(sums.count) entries without a post") }
    return findings
  }

  /// Returns the checksums of the index by key; nil if it is damaged.
  private func sumsOfIndex() throws(StoreError) -> [Int64: UInt64]? {
    var sums: [Int64: UInt64] = [:]
    let tokens = try connection.prepare("SELECT term, doc, offset FROM search_tokens")
    do throws(StoreError) {
      while try tokens.step() {
        sums[tokens.integer(1), default: 0] &+= Self.number(tokens.bytes(0), at: Int(tokens.integer(2)))
      }
    } catch {
      if error.kind == .corrupt { return nil }
      throw error
    }
    return sums
  }

  private static func sum(of document: [UInt8]) -> UInt64 {
    var sum: UInt64 = 0
    for (offset, token) in document.split(separator: UInt8(ascii: " ")).enumerated() {
      sum &+= number(token, at: offset)
    }
    return sum
  }

  /// Returns a number for a token at a position: FNV-1a, spread.
  private static func number(_ token: some Sequence<UInt8>, at offset: Int) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325 ^ UInt64(offset)
    for byte in token { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return (hash ^ hash >> 29) &* 0x9E37_79B9_7F4A_7C15
  }
}
