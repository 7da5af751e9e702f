internal import Posts

/// A multimap from posts to the lists that hold them. 16 to 32 bytes for each row of the lists.
///
/// Open addressing in a number of small tables, so that none takes long to grow. Pairs of a closed list may stay until
/// their table is rebuilt.
struct Holders {
  private static let tableCount = 64
  private var tables = [Table](repeating: Table(), count: tableCount)

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

  mutating func insert(_ pair: Pair, _ hash: UInt64, _ isOpen: (UInt32) -> Bool) {
    if 4 * (count + 1) > 3 * entries.count { grow(isOpen) }
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
  private mutating func grow(_ isOpen: (UInt32) -> Bool) {
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
