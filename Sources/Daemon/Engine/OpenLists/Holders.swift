internal import Posts

/// A multimap from posts to the lists that hold them.
///
/// Open addressing in a number of small tables, so that none takes long to grow. Pairs of a closed list may stay until
/// their table is rebuilt, which happens when it is full, and to one table after the other as lists close.
struct Holders {
  /// Memory for each row of the lists, in bytes, between a half and three quarters of the slots being taken.
  static let bytesPerPost = 32
  private static let tableCount = 64
  private var tables = [Table](repeating: Table(), count: tableCount)
  /// The table that is rebuilt next, and the number of slots to look through for the lists closed so far.
  private var nextTable = 0
  private var owedSlots = 0

  /// Adds a post to a list. O(lists that hold it).
  mutating func insert(_ post: PostID, _ list: UInt32, isOpen: (UInt32) -> Bool) {
    let hash = Self.hash(post)
    tables[Self.table(hash)].insert(Pair(post: post.rawValue, list: list), hash, isOpen)
  }

  /// Removes a post from a list. O(lists that hold it).
  mutating func remove(_ post: PostID, _ list: UInt32) {
    let hash = Self.hash(post)
    tables[Self.table(hash)].remove(Pair(post: post.rawValue, list: list), hash)
  }

  /// Gives back the memory of a closed list of `count` posts, or that of others closed earlier. Sixteen slots are
  /// looked through for each post, so that all tables have been rebuilt before a quarter of the lists has closed.
  /// O(count) over all calls.
  mutating func close(count: Int, isOpen: (UInt32) -> Bool) {
    owedSlots += 16 * count
    for _ in 0..<Self.tableCount where owedSlots >= tables[nextTable].slotCount {
      owedSlots -= tables[nextTable].slotCount
      tables[nextTable].rebuild(isOpen)
      nextTable = (nextTable + 1) % Self.tableCount
    }
    owedSlots = min(owedSlots, slotCount)
  }

  /// Number of slots of all tables, of 16 bytes each.
  var slotCount: Int { tables.reduce(0) { $0 + $1.slotCount } }

  /// Returns the lists that hold a post, and possibly some closed ones, in an order that is the same in every process.
  /// O(lists).
  func lists(of post: PostID) -> [UInt32] {
    let hash = Self.hash(post)
    return tables[Self.table(hash)].lists(of: post.rawValue, hash)
  }

  /// Spreads consecutive numbers by 2^64 / the golden ratio (Knuth, volume 3, section 6.4).
  private static func hash(_ post: PostID) -> UInt64 { UInt64(bitPattern: post.rawValue) &* 0x9E37_79B9_7F4A_7C15 }

  private static func table(_ hash: UInt64) -> Int { Int(hash >> 58) }
}

/// A post and a list that holds it.
private struct Pair: Equatable {
  var post: Int64 = 0
  /// 0 for a free slot.
  var list: UInt32 = 0
}

private struct Table {
  private var entries: [Pair] = []
  private var count = 0
  /// Shifts out all hash bits but those right below the ones that selected the table.
  private var shift: UInt64 { UInt64(58 - entries.count.trailingZeroBitCount) }

  var slotCount: Int { entries.count }

  mutating func insert(_ pair: Pair, _ hash: UInt64, _ isOpen: (UInt32) -> Bool) {
    if 4 * (count + 1) > 3 * entries.count { rebuild(isOpen) }
    var slot = home(hash)
    while entries[slot].list != 0 {
      if entries[slot] == pair { return }
      slot = (slot + 1) & (entries.count - 1)
    }
    entries[slot] = pair
    count += 1
  }

  mutating func remove(_ pair: Pair, _ hash: UInt64) {
    guard !entries.isEmpty else { return }
    let mask = entries.count - 1
    var hole = home(hash)
    while entries[hole] != pair {
      if entries[hole].list == 0 { return }
      hole = (hole + 1) & mask
    }
    count -= 1
    // Move entries that were displaced past the hole back into it.
    var next = (hole + 1) & mask
    while entries[next].list != 0 {
      let home = home(Holders.hash(of: entries[next].post))
      if (next - home) & mask >= (next - hole) & mask {
        entries[hole] = entries[next]
        hole = next
      }
      next = (next + 1) & mask
    }
    entries[hole] = Pair()
  }

  func lists(of post: Int64, _ hash: UInt64) -> [UInt32] {
    guard !entries.isEmpty else { return [] }
    var lists: [UInt32] = []
    var slot = home(hash)
    while entries[slot].list != 0 {
      if entries[slot].post == post { lists.append(entries[slot].list) }
      slot = (slot + 1) & (entries.count - 1)
    }
    return lists
  }

  private func home(_ hash: UInt64) -> Int { Int(hash >> shift) & (entries.count - 1) }

  /// Drops the pairs of closed lists, and resizes the table to at least twice the number of the others.
  mutating func rebuild(_ isOpen: (UInt32) -> Bool) {
    let kept = entries.filter { $0.list != 0 && isOpen($0.list) }
    var size = 16
    while size < 2 * (kept.count + 1) { size *= 2 }
    entries = Array(repeating: Pair(), count: size)
    count = kept.count
    for pair in kept {
      var slot = home(Holders.hash(of: pair.post))
      while entries[slot].list != 0 { slot = (slot + 1) & (size - 1) }
      entries[slot] = pair
    }
  }
}

extension Holders {
  fileprivate static func hash(of post: Int64) -> UInt64 { hash(PostID(post)) }
}
