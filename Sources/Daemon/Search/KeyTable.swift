/// The searches filed under each key, behind a filter that rules out most tokens of most posts at once.
struct KeyTable {
  private var searches: [UInt64: [Int]] = [:]
  /// The number of keys for each value of their low bits.
  private var filter: [UInt32] = Array(repeating: 0, count: 1 << Self.filterBits)

  /// With a thousand keys, one token in sixteen passes the filter without a search.
  private static let filterBits = 14

  /// False only if there are no searches under a key.
  @inline(__always)
  func mayHave(_ key: UInt64) -> Bool { filter[Self.place(key)] != 0 }

  /// The searches under a key.
  subscript(key: UInt64) -> [Int] { searches[key] ?? [] }

  /// Adds a search if it is missing.
  mutating func insert(_ search: Int, _ key: UInt64) {
    if searches[key] == nil { filter[Self.place(key)] += 1 }
    if !self[key].contains(search) { searches[key, default: []].append(search) }
  }

  /// Removes a search if it is there: two words of one query can share a key.
  mutating func remove(_ search: Int, _ key: UInt64) {
    searches[key]?.removeAll { $0 == search }
    guard searches[key]?.isEmpty == true else { return }
    searches[key] = nil
    filter[Self.place(key)] -= 1
  }

  @inline(__always)
  private static func place(_ key: UInt64) -> Int { Int(truncatingIfNeeded: key) & (1 << filterBits - 1) }
}
