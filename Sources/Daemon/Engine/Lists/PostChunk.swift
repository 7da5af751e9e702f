internal import Dates
internal import Posts

/// A run of posts of a list, oldest first, as columns of 32 bits and an arena with a ``PostRecord`` for each.
///
/// A plain post takes 16 bytes of columns, two bytes of record, and its text. IDs and instants are stored as
/// differences from the chunk's minimum; if these do not fit 32 bits, all posts of the chunk have columns for the upper
/// halves too.
struct PostChunk {
  /// The columns. Lower halves come first, so the first four suffice in a chunk that is not wide.
  private enum Column {
    static let id = 0, time = 1, author = 2
    /// The end of the record in `arena`; it begins where the previous one ends.
    static let end = 3
    static let idHigh = 4, timeHigh = 5, authorHigh = 6
    static let narrowCount = 4, wideCount = 7
  }

  private(set) var count = 0
  /// All columns in sequence, each of `room` numbers.
  private var columns: [UInt32] = []
  private var room = 0
  private var isWide = false
  /// The minima from which the differences count.
  private var idBase: Int64 = 0
  private var timeBase: Int64 = 0
  /// Bounds on the IDs, so that most chunks need not be searched for an ID.
  private var lowestID = Int64.max
  private var highestID = Int64.min
  /// The owner of records that do not name one.
  private var owner: Int64 = 0
  private var arena: [UInt8] = []
  /// False if no post is for an audience group.
  private var mayHoldGroups = false

  /// The memory of its two arrays, each with a header of 32 bytes.
  var byteCount: Int { columns.capacity * MemoryLayout<UInt32>.stride + arena.capacity + 64 }

  // MARK: Reading

  private func number(_ low: Int, _ high: Int, _ index: Int) -> Int64 {
    let low = Int64(columns[low * room + index])
    return isWide ? Int64(columns[high * room + index]) << 32 | low : low
  }

  private func id(_ index: Int) -> Int64 { idBase &+ number(Column.id, Column.idHigh, index) }
  private func time(_ index: Int) -> Int64 { timeBase &+ number(Column.time, Column.timeHigh, index) }
  private func author(_ index: Int) -> Int64 { number(Column.author, Column.authorHigh, index) }
  private func end(_ index: Int) -> Int { index < 0 ? 0 : Int(columns[Column.end * room + index]) }

  func key(_ index: Int) -> OrderKey {
    OrderKey(createdAt: Instant(milliseconds: time(index)), id: PostID(id(index)))
  }

  func post(_ index: Int) -> StoredPost {
    let id = id(index)
    let bytes = arena[end(index - 1)..<end(index)]
    let record = PostRecord(bytes.span, id: id, usualOwner: owner)
    return StoredPost(
      id: PostID(id), subject: PostID(record.subject ?? id), createdAt: Instant(milliseconds: time(index)),
      author: AuthorID(author(index)), repostedBy: record.repostedBy.map { AuthorID($0) },
      owner: AccountID(record.owner),
      inReplyTo: record.parent.map { PostID($0) }, body: CompactBody.packed(bytes.dropFirst(record.headCount)),
      marks: PostMarks(trusted: Array(bytes.dropFirst(record.marks.lowerBound).prefix(record.marks.count))),
      audience: record.audience, originalAt: Instant(milliseconds: time(index) &- record.originalAge))
  }

  /// Returns the ID of a post and of the post it replies to, without decoding the rest.
  func link(_ index: Int) -> (id: PostID, parent: PostID?) {
    let id = id(index)
    let record = PostRecord(arena.span.extracting(end(index - 1)..<end(index)), id: id, usualOwner: owner)
    return (PostID(id), record.parent.map { PostID($0) })
  }

  /// Returns the author of a post; for a repost, the author of its original.
  func writer(_ index: Int) -> AuthorID { AuthorID(author(index)) }

  /// Returns the reposter; nil if the post is not a repost.
  func reposter(_ index: Int) -> AuthorID? {
    let bytes = arena.span.extracting(end(index - 1)..<end(index))
    guard PostRecord.isRepost(bytes) else { return nil }
    return PostRecord(bytes, id: id(index), usualOwner: owner).repostedBy.map { AuthorID($0) }
  }

  /// Returns the keys of the posts for an audience group, oldest first. O(1) if there are none for any group, O(count)
  /// otherwise.
  func keys(for group: AudienceGroupID) -> [OrderKey] {
    guard mayHoldGroups else { return [] }
    return (0..<count).filter { index in
      let bytes = arena.span.extracting(end(index - 1)..<end(index))
      return PostRecord(bytes, id: id(index), usualOwner: owner).audience == .group(group)
    }.map(key)
  }

  /// Lends the text of each post of `range`, like ``PostColumns/withTexts(in:for:_:)``. The chunk's first post has rank
  /// `first`.
  func withTexts(
    in range: Range<Int>, for account: AccountID?, first: Int,
    _ body: (_ rank: Int, _ text: Swift.Span<UInt8>, _ parts: RowParts) -> Void
  ) {
    let bytes = arena.span
    var start = end(range.lowerBound - 1)
    for index in range {
      let end = end(index)
      let record = bytes.extracting(start..<end)
      let packed = record.extracting(PostRecord.headCount(record)...)
      var parts: RowParts = PostRecord.isRepost(record) ? .reposter : []
      switch PostRecord.isMarked(record) ? .unknown : CompactBody.facts(packed) {
      case .none: break
      case .some: parts.insert(.facts)
      case .unknown: parts = RowParts(post(index), for: account)
      }
      if let text = CompactBody.text(packed) {
        body(first + index, packed.extracting(text), parts)
      } else {
        let damaged = CompactBody.damagedText
        body(first + index, damaged.span, parts)
      }
      start = end
    }
  }

  /// Returns the index of the first post whose key is not less than `key`; `count` if there is none. O(log count).
  func lowerBound(_ key: OrderKey) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if self.key(middle) < key { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Returns true if the post with `id` may be in this chunk. A separate check, because it rules out most chunks.
  @inline(__always)
  func mayHold(_ id: PostID) -> Bool { lowestID <= id.rawValue && id.rawValue <= highestID }

  /// Returns the index of the post with `id`. O(count), several IDs at a time.
  func index(of id: PostID) -> Int? {
    let difference = id.rawValue &- idBase
    let wanted = UInt32(truncatingIfNeeded: difference)
    guard isWide || Int64(wanted) == difference else { return nil }
    let ids = columns.span.extracting(Column.id * room..<Column.id * room + count)
    var first = 0
    while first < ids.count {
      let few = ids.extracting(first..<min(first + 32, ids.count))
      var isFound = false
      for index in 0..<few.count { isFound = isFound || few[index] == wanted }
      if isFound {
        for index in first..<first + few.count where ids[index] == wanted && self.id(index) == id.rawValue {
          return index
        }
      }
      first += 32
    }
    return nil
  }

  // MARK: Writing

  /// Creates an empty chunk.
  init() {}

  /// Creates a chunk of these posts, which are in order, in memory of exactly their size. Uses `scratch` and leaves it
  /// empty. O(posts).
  init(_ posts: some Collection<StoredPost>, scratch: inout [UInt8]) {
    owner = posts.first?.owner.rawValue ?? 0
    var entries: [Entry] = []
    entries.reserveCapacity(posts.count)
    for post in posts {
      PostRecord.append(post, usualOwner: owner, to: &scratch)
      entries.append(Entry(post, end: scratch.count))
      mayHoldGroups = mayHoldGroups || post.audience.isGroup
    }
    arena = Self.exactly(scratch[...])
    scratch.removeAll(keepingCapacity: true)
    adopt(entries, room: entries.count)
  }

  /// Inserts a post at `index`, where its key belongs. O(count).
  mutating func insert(_ post: StoredPost, at index: Int) {
    if count == 0 { owner = post.owner.rawValue }
    mayHoldGroups = mayHoldGroups || post.audience.isGroup
    var record: [UInt8] = []
    PostRecord.append(post, usualOwner: owner, to: &record)
    let start = end(index - 1)
    reserve(record.count)
    arena.insert(contentsOf: record, at: start)
    let entry = Entry(post, end: start)
    if !fits(entry) { adopt(entries(0..<count, from: 0), room: max(room, count + 1 + count / 8), and: entry) }
    for column in 0..<(isWide ? Column.wideCount : Column.narrowCount) {
      var place = column * room + count
      while place > column * room + index {
        columns[place] = columns[place - 1]
        place -= 1
      }
    }
    count += 1
    set(index, entry)
    for later in Column.end * room + index..<Column.end * room + count { columns[later] += UInt32(record.count) }
    lowestID = min(lowestID, entry.id)
    highestID = max(highestID, entry.id)
  }

  /// Removes the post at `index`. O(count).
  mutating func remove(at index: Int) {
    let record = end(index - 1)..<end(index)
    arena.removeSubrange(record)
    for later in Column.end * room + index..<Column.end * room + count { columns[later] -= UInt32(record.count) }
    for column in 0..<(isWide ? Column.wideCount : Column.narrowCount) {
      for later in column * room + index..<column * room + count - 1 { columns[later] = columns[later + 1] }
    }
    count -= 1
  }

  /// Splits the chunk: keeps the older half and returns the newer. O(count).
  mutating func split() -> PostChunk {
    let middle = count / 2
    let newer = part(middle..<count)
    self = part(0..<middle)
    return newer
  }

  /// Releases reserved memory of a full chunk. O(count).
  mutating func shrink() { self = part(0..<count) }

  /// Returns a chunk of some of the posts, in memory of exactly their size.
  private func part(_ range: Range<Int>) -> PostChunk {
    var part = PostChunk()
    let start = end(range.lowerBound - 1)
    part.owner = owner
    part.mayHoldGroups = mayHoldGroups
    part.arena = Self.exactly(arena[start..<end(range.upperBound - 1)])
    part.adopt(entries(range, from: start), room: range.count)
    return part
  }

  /// Returns the bytes in memory of exactly their size; `Array(bytes)` may share the larger buffer.
  private static func exactly(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    var exact: [UInt8] = []
    exact.reserveCapacity(bytes.count)
    exact += bytes
    return exact
  }

  /// Reserves room in the arena for `bytes` more, growing by an eighth instead of doubling.
  private mutating func reserve(_ bytes: Int) {
    if arena.capacity < arena.count + bytes { arena.reserveCapacity(arena.count + bytes + arena.count / 8) }
  }

  // MARK: Columns

  /// A post's values in the columns.
  private struct Entry {
    var id: Int64
    var time: Int64
    var author: Int64
    var end: Int

    init(id: Int64, time: Int64, author: Int64, end: Int) {
      (self.id, self.time, self.author, self.end) = (id, time, author, end)
    }

    init(_ post: StoredPost, end: Int) {
      self.init(id: post.id.rawValue, time: post.createdAt.milliseconds, author: post.author.rawValue, end: end)
    }
  }

  private func entries(_ range: Range<Int>, from start: Int) -> [Entry] {
    range.map { Entry(id: id($0), time: time($0), author: author($0), end: end($0) - start) }
  }

  /// Returns true if the columns have room for a post without being rebuilt.
  private func fits(_ entry: Entry) -> Bool {
    guard count < room else { return false }
    return isWide
      || Self.fits32Bits(entry.id, above: idBase) && Self.fits32Bits(entry.time, above: timeBase)
        && Self.fits32Bits(entry.author, above: 0)
  }

  /// Returns true if `value` exceeds `base` by an amount that fits 32 bits.
  private static func fits32Bits(_ value: Int64, above base: Int64) -> Bool {
    let (distance, overflow) = value.subtractingReportingOverflow(base)
    return !overflow && UInt32(exactly: distance) != nil
  }

  /// Rebuilds the columns for these entries, choosing their width so that `next` fits too.
  private mutating func adopt(_ entries: [Entry], room: Int, and next: Entry? = nil) {
    let all = entries + (next.map { [$0] } ?? [])
    idBase = all.reduce(.max) { min($0, $1.id) }
    timeBase = all.reduce(.max) { min($0, $1.time) }
    (count, self.room, isWide) = (0, room, false)
    isWide = !all.allSatisfy { fits($0) }
    columns = Array(repeating: 0, count: room * (isWide ? Column.wideCount : Column.narrowCount))
    count = entries.count
    for (index, entry) in entries.enumerated() { set(index, entry) }
    lowestID = entries.reduce(.max) { min($0, $1.id) }
    highestID = entries.reduce(.min) { max($0, $1.id) }
  }

  private mutating func set(_ index: Int, _ entry: Entry) {
    put(entry.id &- idBase, Column.id, Column.idHigh, index)
    put(entry.time &- timeBase, Column.time, Column.timeHigh, index)
    put(entry.author, Column.author, Column.authorHigh, index)
    columns[Column.end * room + index] = UInt32(entry.end)
  }

  private mutating func put(_ value: Int64, _ low: Int, _ high: Int, _ index: Int) {
    columns[low * room + index] = UInt32(truncatingIfNeeded: value)
    if isWide { columns[high * room + index] = UInt32(truncatingIfNeeded: value >> 32) }
  }
}

extension Audience {
  fileprivate var isGroup: Bool {
    if case .group = self { return true }
    return false
  }
}
