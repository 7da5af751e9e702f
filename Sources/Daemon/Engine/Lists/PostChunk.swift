internal import Dates
internal import Posts

/// A run of posts of a list, oldest first, as columns of 32 bits and one arena with a record for each, which
/// ``PostRecord`` describes.
///
/// A plain post costs 16 bytes of columns, two of its record, and its text. Numbers and instants are kept as
/// differences to the least of the chunk; where these do not fit 32 bits, all posts of the chunk have columns for their
/// upper halves too.
struct PostChunk {
  /// The columns: lower halves first, so that those of the first four are enough in a chunk that is not wide.
  private enum Column {
    static let id = 0, time = 1, author = 2
    /// Where the record ends in `arena`; it begins where the one before ends.
    static let end = 3
    static let idHigh = 4, timeHigh = 5, authorHigh = 6
    static let narrowCount = 4, wideCount = 7
  }

  private(set) var count = 0
  /// One column after the other, each of `room` numbers.
  private var columns: [UInt32] = []
  private var room = 0
  private var isWide = false
  /// What the differences are to.
  private var idBase: Int64 = 0
  private var timeBase: Int64 = 0
  /// No id is below the one or above the other: most chunks need not be searched for an id.
  private var lowestID = Int64.max
  private var highestID = Int64.min
  /// The owner that a record need not name.
  private var owner: Int64 = 0
  private var arena: [UInt8] = []
  /// False where no post is for a circle.
  private var mayHoldCircles = false

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
      audience: record.audience)
  }

  /// The number of a post, and the number of the one that it answers, without the rest of it.
  func link(_ index: Int) -> (id: PostID, parent: PostID?) {
    let id = id(index)
    let record = PostRecord(arena.span.extracting(end(index - 1)..<end(index)), id: id, usualOwner: owner)
    return (PostID(id), record.parent.map { PostID($0) })
  }

  /// Who wrote a post; of a repost, its original.
  func writer(_ index: Int) -> AuthorID { AuthorID(author(index)) }

  /// Who reposted it, where it is a repost.
  func reposter(_ index: Int) -> AuthorID? {
    let bytes = arena.span.extracting(end(index - 1)..<end(index))
    guard PostRecord.isRepost(bytes) else { return nil }
    return PostRecord(bytes, id: id(index), usualOwner: owner).repostedBy.map { AuthorID($0) }
  }

  /// The keys of the posts that are for a circle, oldest first. O(1) where there are none, O(count) otherwise.
  func keys(for circle: CircleID) -> [OrderKey] {
    guard mayHoldCircles else { return [] }
    return (0..<count).filter { index in
      let bytes = arena.span.extracting(end(index - 1)..<end(index))
      return PostRecord(bytes, id: id(index), usualOwner: owner).audience == .circle(circle)
    }.map(key)
  }

  /// Lends the text of each post of `range`, as ``PostColumns/withTexts(in:_:)`` says, where the chunk's first post has
  /// rank `first`.
  func withTexts(
    in range: Range<Int>, first: Int, _ body: (_ rank: Int, _ text: Swift.Span<UInt8>, _ isRepost: Bool) -> Void
  ) {
    let bytes = arena.span
    var start = end(range.lowerBound - 1)
    for index in range {
      let end = end(index)
      let record = bytes.extracting(start..<end)
      let packed = record.extracting(PostRecord.headCount(record)...)
      let isRepost = PostRecord.isRepost(record)
      if let text = CompactBody.text(packed) {
        body(first + index, packed.extracting(text), isRepost)
      } else {
        let damaged = CompactBody.damagedText
        body(first + index, damaged.span, isRepost)
      }
      start = end
    }
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

  /// Whether the post with `id` may be here: most chunks are passed by this, so it is asked for itself.
  @inline(__always)
  func mayHold(_ id: PostID) -> Bool { lowestID <= id.rawValue && id.rawValue <= highestID }

  /// Index of the post with `id`, wherever it stands. O(count), many at a time.
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

  /// A chunk without posts.
  init() {}

  /// A chunk of these posts, which are in order, in memory of just their size. `scratch` is used and left empty.
  /// O(posts).
  init(_ posts: some Collection<StoredPost>, scratch: inout [UInt8]) {
    owner = posts.first?.owner.rawValue ?? 0
    var entries: [Entry] = []
    entries.reserveCapacity(posts.count)
    for post in posts {
      PostRecord.append(post, usualOwner: owner, to: &scratch)
      entries.append(Entry(post, end: scratch.count))
      mayHoldCircles = mayHoldCircles || post.audience.isCircle
    }
    arena = Self.exactly(scratch[...])
    scratch.removeAll(keepingCapacity: true)
    adopt(entries, room: entries.count)
  }

  /// Puts a post at `index`, where its key belongs. O(count).
  mutating func insert(_ post: StoredPost, at index: Int) {
    if count == 0 { owner = post.owner.rawValue }
    mayHoldCircles = mayHoldCircles || post.audience.isCircle
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

  /// Takes the post at `index` out. O(count).
  mutating func remove(at index: Int) {
    let record = end(index - 1)..<end(index)
    arena.removeSubrange(record)
    for later in Column.end * room + index..<Column.end * room + count { columns[later] -= UInt32(record.count) }
    for column in 0..<(isWide ? Column.wideCount : Column.narrowCount) {
      for later in column * room + index..<column * room + count - 1 { columns[later] = columns[later + 1] }
    }
    count -= 1
  }

  /// Cuts the chunk in two; keeps the older half and returns the newer. O(count).
  mutating func split() -> PostChunk {
    let middle = count / 2
    let newer = part(middle..<count)
    self = part(0..<middle)
    return newer
  }

  /// Gives back what is held in reserve: for a chunk that is full. O(count).
  mutating func shrink() { self = part(0..<count) }

  /// Some of the posts, in memory of just their size.
  private func part(_ range: Range<Int>) -> PostChunk {
    var part = PostChunk()
    let start = end(range.lowerBound - 1)
    part.owner = owner
    part.mayHoldCircles = mayHoldCircles
    part.arena = Self.exactly(arena[start..<end(range.upperBound - 1)])
    part.adopt(entries(range, from: start), room: range.count)
    return part
  }

  /// The same bytes in memory of just their size; `Array(bytes)` may share what they lie in.
  private static func exactly(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    var exact: [UInt8] = []
    exact.reserveCapacity(bytes.count)
    exact += bytes
    return exact
  }

  /// Makes room in the arena for so many bytes and an eighth of what is there, not twice as much.
  private mutating func reserve(_ bytes: Int) {
    if arena.capacity < arena.count + bytes { arena.reserveCapacity(arena.count + bytes + arena.count / 8) }
  }

  // MARK: Columns

  /// What the columns say of a post.
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

  /// Whether the columns as they are have room for a post.
  private func fits(_ entry: Entry) -> Bool {
    guard count < room else { return false }
    return isWide
      || Self.distance(entry.id, idBase) && Self.distance(entry.time, timeBase) && Self.distance(entry.author, 0)
  }

  /// Whether `value` is above `base` by what fits 32 bits.
  private static func distance(_ value: Int64, _ base: Int64) -> Bool {
    let (distance, overflow) = value.subtractingReportingOverflow(base)
    return !overflow && UInt32(exactly: distance) != nil
  }

  /// Makes the columns anew, for these entries and another to come.
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
  fileprivate var isCircle: Bool {
    if case .circle = self { return true }
    return false
  }
}
