internal import Dates
internal import Posts

/// A run of posts of a list, oldest first, as columns and one arena of packed bodies.
///
/// What most posts do not have (a repost's parts, a parent) is in side tables, so that a plain post costs 26 bytes and its
/// body.
struct PostChunk {
  /// What only reposts have.
  struct Repost {
    var subject: PostID
    var by: AuthorID
  }

  private(set) var ids: [Int64] = []
  /// No id is below the one or above the other: most chunks need not be searched for an id.
  private var lowestID = Int64.max
  private var highestID = Int64.min
  private(set) var times: [Int64] = []
  private var authors: [UInt32] = []
  private var owners: [UInt16] = []
  /// `bodyEnds[i]` is where body i ends in `arena`; it begins where the one before ends.
  private var bodyEnds: [UInt32] = []
  private var arena: [UInt8] = []
  private var reposts: [PostID: Repost] = [:]
  private var parents: [PostID: PostID] = [:]

  var count: Int { ids.count }

  func key(_ index: Int) -> OrderKey {
    OrderKey(createdAt: Instant(milliseconds: times[index]), id: PostID(ids[index]))
  }

  func post(_ index: Int) -> StoredPost {
    let id = PostID(ids[index])
    let repost = reposts[id]
    let start = index == 0 ? 0 : Int(bodyEnds[index - 1])
    return StoredPost(
      id: id, subject: repost?.subject ?? id, createdAt: Instant(milliseconds: times[index]),
      author: AuthorID(Int64(authors[index])), repostedBy: repost?.by, owner: AccountID(Int64(owners[index])),
      inReplyTo: parents[id], body: PackedBody(trusted: Array(arena[start..<Int(bodyEnds[index])])))
  }

  /// Index of the first post whose key is not less than `key`; `count` where there is none. O(log count).
  func lowerBound(_ key: OrderKey) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if self.key(middle) < key { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Puts a post at `index`, where its key belongs. O(count).
  mutating func insert(_ post: StoredPost, at index: Int) {
    let body = post.body.bytes
    let start = index == 0 ? 0 : Int(bodyEnds[index - 1])
    if index == count {
      arena += body
    } else {
      arena.insert(contentsOf: body, at: start)
      for later in index..<count { bodyEnds[later] += UInt32(body.count) }
    }
    bodyEnds.insert(UInt32(start + body.count), at: index)
    ids.insert(post.id.rawValue, at: index)
    lowestID = min(lowestID, post.id.rawValue)
    highestID = max(highestID, post.id.rawValue)
    times.insert(post.createdAt.milliseconds, at: index)
    authors.insert(UInt32(clamping: post.author.rawValue), at: index)
    owners.insert(UInt16(clamping: post.owner.rawValue), at: index)
    if let by = post.repostedBy { reposts[post.id] = Repost(subject: post.subject, by: by) }
    if let parent = post.inReplyTo { parents[post.id] = parent }
  }

  /// Takes the post at `index` out. O(count).
  mutating func remove(at index: Int) {
    let id = PostID(ids[index])
    let start = index == 0 ? 0 : Int(bodyEnds[index - 1])
    let end = Int(bodyEnds[index])
    arena.removeSubrange(start..<end)
    bodyEnds.remove(at: index)
    for later in index..<bodyEnds.count { bodyEnds[later] -= UInt32(end - start) }
    ids.remove(at: index)
    times.remove(at: index)
    authors.remove(at: index)
    owners.remove(at: index)
    reposts[id] = nil
    parents[id] = nil
  }

  /// Cuts the chunk in two; keeps the older half and returns the newer. O(count).
  mutating func split() -> PostChunk {
    let middle = count / 2
    let offset = middle == 0 ? 0 : bodyEnds[middle - 1]
    var newer = PostChunk()
    newer.ids = Array(ids[middle...])
    (newer.lowestID, newer.highestID) = (lowestID, highestID)
    newer.times = Array(times[middle...])
    newer.authors = Array(authors[middle...])
    newer.owners = Array(owners[middle...])
    newer.bodyEnds = bodyEnds[middle...].map { $0 - offset }
    newer.arena = Array(arena[Int(offset)...])
    let moved = Set(newer.ids.lazy.map { PostID($0) })
    newer.reposts = reposts.filter { moved.contains($0.key) }
    newer.parents = parents.filter { moved.contains($0.key) }
    for id in moved {
      reposts[id] = nil
      parents[id] = nil
    }
    ids.removeSubrange(middle...)
    times.removeSubrange(middle...)
    authors.removeSubrange(middle...)
    owners.removeSubrange(middle...)
    bodyEnds.removeSubrange(middle...)
    arena.removeSubrange(Int(offset)...)
    return newer
  }

  /// Gives back what the columns hold in reserve: for a chunk that is full.
  mutating func shrink() {
    ids = ids.withoutReserve()
    times = times.withoutReserve()
    authors = authors.withoutReserve()
    owners = owners.withoutReserve()
    bodyEnds = bodyEnds.withoutReserve()
    arena = arena.withoutReserve()
  }

  /// Index of the post with `id`, wherever it stands. O(count).
  func index(of id: PostID) -> Int? {
    lowestID <= id.rawValue && id.rawValue <= highestID ? ids.firstIndex(of: id.rawValue) : nil
  }

  /// Lends the text of each post of `range`, as ``PostColumns/withTexts(in:_:)`` says, where the chunk's first post has rank `first`.
  func withTexts(in range: Range<Int>, first: Int, _ body: (_ rank: Int, _ text: Swift.Span<UInt8>, _ isRepost: Bool) -> Void) {
    let bytes = arena.span
    for index in range {
      let start = index == 0 ? 0 : Int(bodyEnds[index - 1])
      let packed = bytes.extracting(start..<Int(bodyEnds[index]))
      let isRepost = !reposts.isEmpty && reposts[PostID(ids[index])] != nil
      body(first + index, packed.extracting(PackedBody.textRange(of: packed)), isRepost)
    }
  }
}

extension Array {
  /// The same elements in memory of just their size. O(count).
  fileprivate func withoutReserve() -> [Element] {
    guard capacity > count else { return self }
    var exact: [Element] = []
    exact.reserveCapacity(count)
    exact += self
    return exact
  }
}
