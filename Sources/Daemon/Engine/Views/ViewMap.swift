/// Map from open views to their places in a table: a dictionary specialised for consecutive numbers that the daemon
/// itself assigns.
///
/// It is read twice for each frame of each of thousands of views. It touches one cache line where a dictionary touches
/// three, and spends no time on a hash against chosen numbers, since clients choose none. Open addressing with linear
/// probing, at most half full. Removal moves later entries forward, so that no tombstones are left.
public struct ViewMap: Sendable {
  /// A view's number, or 0 for a free entry, and its place.
  private struct Entry {
    var number: UInt64 = 0
    var place = 0
  }

  private static let leastEntries = 16

  private var entries = [Entry](repeating: Entry(), count: leastEntries)
  /// Number of views in the map.
  public private(set) var count = 0

  /// Creates an empty map.
  public init() {}

  /// The place of a view; nil if it is not in the map.
  public subscript(id: ViewID) -> Int? {
    let entry = entries[slot(of: id.rawValue)]
    return entry.number == 0 ? nil : entry.place
  }

  /// Adds a view, or changes its place. Its number must not be 0.
  public mutating func set(_ id: ViewID, to place: Int) {
    precondition(id.rawValue != 0, "a view's number is never 0")
    if 2 * (count + 1) > entries.count { grow() }
    let slot = slot(of: id.rawValue)
    if entries[slot].number == 0 { count += 1 }
    entries[slot] = Entry(number: id.rawValue, place: place)
  }

  /// Removes a view and returns its place.
  @discardableResult
  public mutating func remove(_ id: ViewID) -> Int? {
    var hole = slot(of: id.rawValue)
    guard entries[hole].number != 0 else { return nil }
    let place = entries[hole].place
    count -= 1
    // Entries that it displaced move forward.
    let mask = entries.count - 1
    var next = (hole + 1) & mask
    while entries[next].number != 0 {
      let home = home(of: entries[next].number)
      if (next - home) & mask >= (next - hole) & mask {
        entries[hole] = entries[next]
        hole = next
      }
      next = (next + 1) & mask
    }
    entries[hole] = Entry()
    return place
  }

  private mutating func grow() {
    let old = entries
    entries = Array(repeating: Entry(), count: 2 * old.count)
    for entry in old where entry.number != 0 { entries[slot(of: entry.number)] = entry }
  }

  /// Returns the entry of a number, or the free one it would get.
  private func slot(of number: UInt64) -> Int {
    let mask = entries.count - 1
    var slot = home(of: number)
    while entries[slot].number != number, entries[slot].number != 0 { slot = (slot + 1) & mask }
    return slot
  }

  /// Returns the preferred entry of a number: the highest bits of its product with 2^64 / the golden ratio, which
  /// spreads consecutive numbers (Knuth, volume 3, section 6.4).
  private func home(of number: UInt64) -> Int {
    Int((number &* 0x9E37_79B9_7F4A_7C15) >> UInt64(64 - entries.count.trailingZeroBitCount))
  }
}
