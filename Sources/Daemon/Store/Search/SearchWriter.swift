internal import Dates
internal import Posts
internal import Search

/// Writes posts into the index of words, in the order of their keys.
struct SearchWriter {
  private let connection: Connection
  private var text = SearchText()
  private var deletions: [(key: Int64, document: [UInt8])] = []
  private var insertions: [(id: PostID, createdAt: Instant, document: [UInt8])] = []

  /// Writes by a connection that is in a transaction.
  init(_ connection: Connection) { self.connection = connection }

  /// Prepares what a change needs: nothing where the words and the place are the same, as when only counts changed.
  mutating func prepare(_ id: PostID, _ change: SearchChanges.Change) throws(StoreError) {
    let before = change.before?.document(&text)
    let after = change.after?.document(&text)
    if before == after && change.before?.createdAt == change.after?.createdAt { return }
    if let before, let instant = change.before?.createdAt, let key = try key(of: id, at: instant) {
      deletions.append((key, before))
    }
    if let after, let instant = change.after?.createdAt { insertions.append((id, instant, after)) }
  }

  /// Writes what was prepared.
  mutating func write() throws(StoreError) {
    let deletion = try connection.statement(.deleteSearched)
    let placeDeletion = try connection.statement(.deleteSearchKey)
    for (key, document) in deletions.sorted(by: { $0.key < $1.key }) {
      defer { deletion.reset() }
      defer { placeDeletion.reset() }
      deletion.bind(1, key)
      deletion.bind(2, text: document)
      _ = try deletion.step()
      placeDeletion.bind(1, key)
      _ = try placeDeletion.step()
    }
    deletions.removeAll()
    insertions.sort { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }
    var placed: [(key: Int64, index: Int)] = []
    placed.reserveCapacity(insertions.count)
    for (index, post) in insertions.enumerated() { placed.append((try place(post.id, at: post.createdAt), index)) }
    let insertion = try connection.statement(.insertSearched)
    // Those without a place come last. FTS5 forgets nothing if the order is another, it is only slower.
    for (key, index) in placed.sorted(by: { $0.key < $1.key }) {
      defer { insertion.reset() }
      insertion.bind(1, key)
      insertion.bind(2, text: insertions[index].document)
      _ = try insertion.step()
    }
    insertions.removeAll()
  }

  /// Merges pieces of the index, about as much as was written, so that none has to wait for much of it.
  ///
  /// By itself FTS5 merges a few hundred pages at once every 64 pages: tens of milliseconds, which a commit in a dozen
  /// would take longer where fifty posts come together. Commits of single posts merge with every sixteenth of them.
  func merge(after posts: Int, revision: UInt64) throws(StoreError) {
    guard posts >= 32 || revision % 16 == 0 else { return }
    let statement = try connection.statement(.mergeSearch)
    defer { statement.reset() }
    statement.bind(1, Int64(16 + posts / 3))
    _ = try statement.step()
  }

  /// The key of a post that is indexed.
  private func key(of id: PostID, at instant: Instant) throws(StoreError) -> Int64? {
    let statement = try connection.statement(.searchKey)
    defer { statement.reset() }
    let bucket = SearchKey.bucket(instant)
    statement.bind(1, bucket.lowerBound)
    statement.bind(2, bucket.upperBound - 1)
    statement.bind(3, id.rawValue)
    statement.bind(4, SearchKey.overflow(id))
    return try statement.step() ? statement.integer(0) : nil
  }

  /// Gives a post a key: the place behind the last one in its bucket, if there is one.
  private func place(_ id: PostID, at instant: Instant) throws(StoreError) -> Int64 {
    let key = SearchKey.hasBucket(instant) ? try nextKey(in: SearchKey.bucket(instant)) : nil
    let statement = try connection.statement(.insertSearchKey)
    defer { statement.reset() }
    statement.bind(1, key ?? SearchKey.overflow(id))
    statement.bind(2, id.rawValue)
    _ = try statement.step()
    return key ?? SearchKey.overflow(id)
  }

  private func nextKey(in bucket: Range<Int64>) throws(StoreError) -> Int64? {
    let statement = try connection.statement(.lastSearchKey)
    defer { statement.reset() }
    statement.bind(1, bucket.lowerBound)
    statement.bind(2, bucket.upperBound - 1)
    _ = try statement.step()
    guard let last = statement.optionalInteger(0) else { return bucket.lowerBound }
    return last + 1 < bucket.upperBound ? last + 1 : nil
  }
}
