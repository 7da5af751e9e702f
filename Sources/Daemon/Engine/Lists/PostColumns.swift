internal import Posts

/// Posts in order, oldest first, in chunks, so that an insertion or removal touches one chunk and not the whole list.
struct PostColumns {
  /// The position of a post: its chunk and its index there.
  struct Position: Equatable {
    var chunk: Int
    var index: Int
  }

  /// The most posts that a chunk holds.
  let chunkCapacity: Int
  private(set) var chunks: [PostChunk] = []
  /// `starts[i]` is the number of posts in the chunks before chunk i; updated on the first use after a change.
  private var starts: [Int] = []
  private(set) var count = 0

  init(chunkCapacity: Int) { self.chunkCapacity = chunkCapacity }

  /// The memory that they take, in bytes, once ``starts`` is up to date: reading them does not change it. O(chunks).
  var byteCount: Int {
    let perChunk = MemoryLayout<PostChunk>.stride + MemoryLayout<Int>.stride
    return chunks.reduce(chunks.capacity * perChunk) { $0 + $1.byteCount }
  }

  /// The ranks of all posts.
  var indices: Range<Int> { 0..<count }

  /// Returns the post at `rank`, counted from the oldest. O(log chunks).
  mutating func post(at rank: Int) -> StoredPost {
    let position = position(ofRank: rank)
    return chunks[position.chunk].post(position.index)
  }

  /// Lends the text of each post of `ranks`, in order, with the parts of its row as `account` sees it. Of posts without
  /// marks nothing is unpacked or copied, because a change of a pane's width needs every post's text. O(ranks).
  mutating func withTexts(
    in ranks: Range<Int>, for account: AccountID?,
    _ body: (_ rank: Int, _ text: Swift.Span<UInt8>, _ parts: RowParts) -> Void
  ) {
    guard !ranks.isEmpty else { return }
    var position = position(ofRank: ranks.lowerBound)
    var rank = ranks.lowerBound
    while rank < ranks.upperBound {
      let chunk = chunks[position.chunk]
      let end = min(chunk.count, position.index + ranks.upperBound - rank)
      chunk.withTexts(in: position.index..<end, for: account, first: rank - position.index, body)
      rank += end - position.index
      position = Position(chunk: position.chunk + 1, index: 0)
    }
  }

  mutating func key(at rank: Int) -> OrderKey {
    let position = position(ofRank: rank)
    return chunks[position.chunk].key(position.index)
  }

  /// The key of the oldest post.
  var oldestKey: OrderKey? { chunks.first?.key(0) }

  /// Returns the number of posts with a key less than `key`. O(log count).
  mutating func rank(lowerBound key: OrderKey) -> Int {
    refreshStarts()
    let chunk = chunkIndex(for: key)
    guard chunk < chunks.count else { return count }
    return starts[chunk] + chunks[chunk].lowerBound(key)
  }

  /// Returns the rank of the post with `key`; nil if there is none. O(log count).
  mutating func rank(of key: OrderKey) -> Int? {
    let rank = rank(lowerBound: key)
    return rank < count && self.key(at: rank) == key ? rank : nil
  }

  /// Returns the rank of the post with `id`; nil if there is none. Compares four bytes of each post in the chunks that
  /// may hold it, newest chunks first. O(count).
  mutating func rank(of id: PostID) -> Int? {
    for chunk in chunks.indices.reversed() where chunks[chunk].mayHold(id) {
      guard let index = chunks[chunk].index(of: id) else { continue }
      refreshStarts()
      return starts[chunk] + index
    }
    return nil
  }

  /// Inserts a post, or replaces the one with the same key. Returns true if it was inserted.
  @discardableResult
  mutating func upsert(_ post: StoredPost) -> Bool {
    let key = post.orderKey
    guard !chunks.isEmpty else {
      var first = PostChunk()
      first.insert(post, at: 0)
      chunks = [first]
      starts = []
      count = 1
      return true
    }
    let chunk = min(chunkIndex(for: key), chunks.count - 1)
    let index = chunks[chunk].lowerBound(key)
    let exists = index < chunks[chunk].count && chunks[chunk].key(index) == key
    if exists { chunks[chunk].remove(at: index) } else { count += 1 }
    chunks[chunk].insert(post, at: index)
    if chunks[chunk].count > chunkCapacity {
      if chunk == chunks.count - 1 && index == chunks[chunk].count - 1 {
        // Appending: leave the full chunk full instead of splitting it.
        chunks[chunk].remove(at: index)
        chunks[chunk].shrink()
        var last = PostChunk()
        last.insert(post, at: 0)
        chunks.append(last)
        if !starts.isEmpty { starts.append(count - 1) }
      } else {
        chunks.insert(chunks[chunk].split(), at: chunk + 1)
        starts = []
      }
    } else if !exists, !starts.isEmpty {
      for later in chunk + 1..<max(chunk + 1, starts.count) { starts[later] += 1 }
    }
    return !exists
  }

  /// Prepends a run of older posts. `posts` are newest first and older than all present ones. O(posts + chunks).
  mutating func prependOlder(_ posts: [StoredPost]) {
    var front: [PostChunk] = []
    var scratch: [UInt8] = []
    for end in stride(from: posts.count, to: 0, by: -chunkCapacity) {
      front.append(PostChunk(posts[max(0, end - chunkCapacity)..<end].reversed(), scratch: &scratch))
    }
    chunks.insert(contentsOf: front, at: 0)
    count += posts.count
    starts = []
  }

  /// Removes the post with `id` and returns its rank; nil if there is none. O(count).
  mutating func remove(_ id: PostID) -> Int? {
    guard let rank = rank(of: id) else { return nil }
    remove(at: rank)
    return rank
  }

  /// Returns the ranks of the posts whose author and reposter satisfy `matches`, ascending. O(count), without unpacking
  /// any.
  func ranks(where matches: (_ author: AuthorID, _ repostedBy: AuthorID?) -> Bool) -> [Int] {
    var ranks: [Int] = []
    var first = 0
    for chunk in chunks {
      for index in 0..<chunk.count where matches(chunk.writer(index), chunk.reposter(index)) {
        ranks.append(first + index)
      }
      first += chunk.count
    }
    return ranks
  }

  /// Removes the posts at `ranks`, which are ascending. O(count).
  mutating func remove(ranks: [Int]) {
    var kept: [StoredPost] = []
    kept.reserveCapacity(count - ranks.count)
    var next = ranks[...]
    for rank in (0..<count) {
      if next.first == rank { next.removeFirst() } else { kept.append(post(at: rank)) }
    }
    self = PostColumns(chunkCapacity: chunkCapacity)
    prependOlder(kept.reversed())
  }

  /// Returns the ID of every post and of the post it replies to, oldest first. O(count).
  func links() -> [(id: PostID, parent: PostID?)] {
    chunks.flatMap { chunk in (0..<chunk.count).lazy.map { chunk.link($0) } }
  }

  /// Returns the keys of the posts for an audience group, oldest first. O(chunks) if there are none for any group.
  func keys(for group: AudienceGroupID) -> [OrderKey] { chunks.flatMap { $0.keys(for: group) } }

  /// Removes the post at `rank`. O(chunks).
  mutating func remove(at rank: Int) {
    let position = position(ofRank: rank)
    chunks[position.chunk].remove(at: position.index)
    if chunks[position.chunk].count == 0 { chunks.remove(at: position.chunk) }
    count -= 1
    starts = []
  }

  /// Returns the index of the first chunk whose newest post is not older than `key`; `chunks.count` if every post is
  /// older. O(log chunks).
  private func chunkIndex(for key: OrderKey) -> Int {
    var low = 0
    var high = chunks.count
    while low < high {
      let middle = (low + high) / 2
      if chunks[middle].key(chunks[middle].count - 1) < key { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private mutating func refreshStarts() {
    guard starts.count != chunks.count else { return }
    starts = []
    starts.reserveCapacity(chunks.count)
    var sum = 0
    for chunk in chunks {
      starts.append(sum)
      sum += chunk.count
    }
  }

  private mutating func position(ofRank rank: Int) -> Position {
    refreshStarts()
    var low = 0
    var high = starts.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if starts[middle] <= rank { low = middle } else { high = middle }
    }
    return Position(chunk: low, index: rank - starts[low])
  }
}
