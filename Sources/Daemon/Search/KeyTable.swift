/// Which searches wait under which key, with a filter before it that tells most tokens of most posts at once that none
/// does.
struct KeyTable {
  private var searches: [UInt64: [Int]] = [:]
  /// How many keys have each low end.
  private var filter: [UInt32] = Array(repeating: 0, count: 1 << Self.filterBits)

  /// For a thousand keys one token in sixteen passes in vain.
  private static let filterBits = 14

  /// Whether there may be searches under a key.
  @inline(__always)
  func mayHave(_ key: UInt64) -> Bool { filter[Self.place(key)] != 0 }

  /// The searches under a key.
  subscript(key: UInt64) -> [Int] { searches[key] ?? [] }

  /// Adds a search; one that is there stays.
  mutating func insert(_ search: Int, _ key: UInt64) {
    if searches[key] == nil { filter[Self.place(key)] += 1 }
    if !self[key].contains(search) { searches[key, default: []].append(search) }
  }

  /// Takes a search away, if it is there: two words of one query may have one key.
  mutating func remove(_ search: Int, _ key: UInt64) {
    searches[key]?.removeAll { $0 == search }
    guard searches[key]?.isEmpty == true else { return }
    searches[key] = nil
    filter[Self.place(key)] -= 1
  }

  @inline(__always)
  private static func place(_ key: UInt64) -> Int { Int(truncatingIfNeeded: key) & (1 << filterBits - 1) }
}
