internal import Posts

/// Posts in order, oldest first, in chunks: insertion and removal cost a chunk, not the list.
struct PostColumns {
  /// Where a post stands: which chunk, and where in it.
  struct Position: Equatable {
    var chunk: Int
    var index: Int
  }

  /// Most posts a chunk holds.
  let chunkCapacity: Int
  private(set) var chunks: [PostChunk] = []
  /// `starts[i]` is the number of posts in the chunks before chunk i; brought up to date when first asked after a
  /// change.
  private var starts: [Int] = []
  private(set) var count = 0

  init(chunkCapacity: Int) { self.chunkCapacity = chunkCapacity }

  /// The ranks of all posts.
  var indices: Range<Int> { 0..<count }

  /// The post at `rank`, counted from the oldest. O(log chunks).
  mutating func post(at rank: Int) -> StoredPost {
    let position = position(ofRank: rank)
    return chunks[position.chunk].post(position.index)
  }

  /// Lends the text of each post of `ranks` as it lies in memory, in order: nothing is unpacked or copied, for this is
  /// asked of every post when a pane gets another width. O(ranks).
  mutating func withTexts(
    in ranks: Range<Int>, _ body: (_ rank: Int, _ text: Swift.Span<UInt8>, _ isRepost: Bool) -> Void
  ) {
    guard !ranks.isEmpty else { return }
    var position = position(ofRank: ranks.lowerBound)
    var rank = ranks.lowerBound
    while rank < ranks.upperBound {
      let chunk = chunks[position.chunk]
      let end = min(chunk.count, position.index + ranks.upperBound - rank)
      chunk.withTexts(in: position.index..<end, first: rank - position.index, body)
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

  /// How many posts have a key less than `key`. O(log count).
  mutating func rank(lowerBound key: OrderKey) -> Int {
    refreshStarts()
    let chunk = chunkIndex(for: key)
    guard chunk < chunks.count else { return count }
    return starts[chunk] + chunks[chunk].lowerBound(key)
  }

  /// The rank of the post with `key`, or nil. O(log count).
  mutating func rank(of key: OrderKey) -> Int? {
    let rank = rank(lowerBound: key)
    return rank < count && self.key(at: rank) == key ? rank : nil
  }

  /// The rank of the post with `id`, wherever it stands: four bytes are looked at of each post in the chunks that may
  /// hold it, newest chunks first. O(count).
  mutating func rank(of id: PostID) -> Int? {
    for chunk in chunks.indices.reversed() where chunks[chunk].mayHold(id) {
      guard let index = chunks[chunk].index(of: id) else { continue }
      refreshStarts()
      return starts[chunk] + index
    }
    return nil
  }

  /// Puts a post where its key belongs, or in the place of the one with the same key. True if it was not there.
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
        // Appending: leave the full chunk full instead of half empty.
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

  /// Puts a run of older posts in front; `posts` are newest first and all older than any held. O(posts + chunks).
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

  /// Takes out the post with `id`, wherever it stands, and returns its rank; nil if it was not there. O(count).
  mutating func remove(_ id: PostID) -> Int? {
    guard let rank = rank(of: id) else { return nil }
    remove(at: rank)
    return rank
  }

  /// The ranks of the posts of which `isMeant` says so by who wrote and who reposted them, ascending. O(count), without
  /// unpacking any.
  func ranks(where isMeant: (_ author: AuthorID, _ repostedBy: AuthorID?) -> Bool) -> [Int] {
    var ranks: [Int] = []
    var first = 0
    for chunk in chunks {
      for index in 0..<chunk.count where isMeant(chunk.writer(index), chunk.reposter(index)) {
        ranks.append(first + index)
      }
      first += chunk.count
    }
    return ranks
  }

  /// Takes out the posts at `ranks`, which ascend. O(count).
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

  /// The numbers of all posts and of those that they answer, oldest first. O(count).
  func links() -> [(id: PostID, parent: PostID?)] {
    chunks.flatMap { chunk in (0..<chunk.count).lazy.map { chunk.link($0) } }
  }

  /// The keys of the posts that are for a circle, oldest first. O(chunks) where there are none.
  func keys(for circle: CircleID) -> [OrderKey] { chunks.flatMap { $0.keys(for: circle) } }

  /// Takes out the post at `rank`. O(chunks).
  mutating func remove(at rank: Int) {
    let position = position(ofRank: rank)
    chunks[position.chunk].remove(at: position.index)
    if chunks[position.chunk].count == 0 { chunks.remove(at: position.chunk) }
    count -= 1
    starts = []
  }

  /// The first chunk whose newest post is not older than `key`; `chunks.count` where every post is older. O(log
  /// chunks).
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
