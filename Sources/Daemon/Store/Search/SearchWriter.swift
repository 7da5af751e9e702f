internal import Dates
internal import Posts
internal import Search

/// Writes posts to the search index, in the order of their keys.
struct SearchWriter {
  private let connection: Connection
  private var text = SearchText()
  private var deletions: [(key: Int64, document: [UInt8])] = []
  private var insertions: [(id: PostID, createdAt: Instant, document: [UInt8])] = []

  /// Writes through a connection that is in a transaction.
  init(_ connection: Connection) { self.connection = connection }

  /// Prepares the change of a post from `before` to `after`; nothing if words and place are the same, as when only
  /// counts changed.
  mutating func prepare(_ id: PostID, before: SearchedPost?, after: SearchedPost?) throws(StoreError) {
    let oldWords = before?.document(&text)
    let newWords = after?.document(&text)
    if oldWords == newWords && before?.createdAt == after?.createdAt { return }
    if let oldWords, let instant = before?.createdAt, let key = try key(of: id, at: instant) {
      deletions.append((key, oldWords))
    }
    if let newWords, let instant = after?.createdAt { insertions.append((id, instant, newWords)) }
  }

  /// Writes the prepared changes.
  mutating func write() throws(StoreError) {
    for (key, document) in deletions.sorted(by: { $0.key < $1.key }) {
      try connection.run(IndexQuery.delete, key, TextBytes(bytes: document))
      try connection.run(IndexQuery.deleteKey, key)
    }
    deletions.removeAll()
    insertions.sort { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }
    var placed: [(key: Int64, index: Int)] = []
    placed.reserveCapacity(insertions.count)
    for (index, post) in insertions.enumerated() { placed.append((try place(post.id, at: post.createdAt), index)) }
    // Posts without a place come last. Another order would be correct too, but slower in FTS5.
    for (key, index) in placed.sorted(by: { $0.key < $1.key }) {
      try connection.run(IndexQuery.insert, key, TextBytes(bytes: insertions[index].document))
    }
    insertions.removeAll()
  }

  /// Merges about as much of the index as was written, so that no commit waits for a large merge.
  ///
  /// By itself, FTS5 merges a few hundred pages at once every 64 pages: tens of milliseconds more for one commit in a
  /// dozen when fifty posts arrive together. Commits of single posts merge on every sixteenth revision.
  func merge(after posts: Int, revision: UInt64) throws(StoreError) {
    guard posts >= 32 || revision % 16 == 0 else { return }
    try connection.run(IndexQuery.merge, 16 + posts / 3)
  }

  /// Returns the key of an indexed post; nil if it has none.
  private func key(of id: PostID, at instant: Instant) throws(StoreError) -> Int64? {
    let bucket = SearchKey.bucket(instant)
    return try connection.number(
      IndexQuery.key, bucket.lowerBound, bucket.upperBound - 1, id, SearchKey.overflow(id))
  }

  /// Assigns a key to a post: the next place in its bucket, if there is one, else an overflow key.
  private func place(_ id: PostID, at instant: Instant) throws(StoreError) -> Int64 {
    let inBucket = SearchKey.hasBucket(instant) ? try nextKey(in: SearchKey.bucket(instant)) : nil
    let key = inBucket ?? SearchKey.overflow(id)
    try connection.run(IndexQuery.insertKey, key, id)
    return key
  }

  private func nextKey(in bucket: Range<Int64>) throws(StoreError) -> Int64? {
    let last = try connection.first(IndexQuery.lastKey, bucket.lowerBound, bucket.upperBound - 1) {
      $0.optionalInteger(0)
    }
    guard let last = last ?? nil else { return bucket.lowerBound }
    return last + 1 < bucket.upperBound ? last + 1 : nil
  }
}
