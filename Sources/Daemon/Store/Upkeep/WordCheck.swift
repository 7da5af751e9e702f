internal import Dates
internal import Posts
internal import Search

/// Finds where the index of words has not what the posts have.
struct WordCheck {
  private let connection: Connection

  init(_ connection: Connection) { self.connection = connection }

  /// What is wrong, one line each; at most `limit`. Reads all of the index, each token with its row and position, and
  /// compares what they sum up to for each row.
  func findings(limit: Int) throws(StoreError) -> [String] {
    guard var sums = try sumsOfIndex() else { return ["index of words: it cannot be read"] }
    var text = SearchText()
    let posts = try connection.prepare(
      """
      SELECT p.created_at, p.author_id, p.audience, p.body, p.id, k.key FROM search_posts k CROSS JOIN posts p ON p.id = k.post_id
      """)
    var findings: [String] = []
    while try posts.step() {
      let post = SearchedPost(row: posts)
      let id = PostID(posts.integer(4))
      let key = posts.integer(5)
      let isInPlace = key == SearchKey.overflow(id) || SearchKey.bucket(post.createdAt).contains(key)
      let sum = sums.removeValue(forKey: key)
      guard !isInPlace || sum != Self.sum(of: post.document(&text)), findings.count < limit else {
        continue
      }
      findings.append("index of words (post): (\(id.rawValue)) is wrong")
    }
    if !sums.isEmpty { findings.append("index of words: \(sums.count) posts in it are none") }
    return findings
  }

  /// What the index has, by key; nil where it is damaged.
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

  /// A number for a token at a position: FNV-1a, spread.
  private static func number(_ token: some Sequence<UInt8>, at offset: Int) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325 ^ UInt64(offset)
    for byte in token { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return (hash ^ hash >> 29) &* 0x9E37_79B9_7F4A_7C15
  }
}
