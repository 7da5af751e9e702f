/// Where each open view lies in some table: a dictionary that is made for numbers given out one after the other by the
/// daemon itself.
///
/// It is asked twice for each frame of each of thousands of views, and touches one cache line where a dictionary
/// touches three and spends as long again on a hash that nobody could have chosen numbers against. Open addressing with
/// linear probing, at most half full; a view that goes is closed up behind, so that nothing is left of it.
public struct ViewMap: Sendable {
  /// A view's number, or 0 for an entry that is free, and its place.
  private struct Entry {
    var number: UInt64 = 0
    var place = 0
  }

  private static let leastEntries = 16

  private var entries = [Entry](repeating: Entry(), count: leastEntries)
  /// How many views are in it.
  public private(set) var count = 0

  /// No views.
  public init() {}

  /// The place of a view; nil if it is not in the map.
  public subscript(id: ViewID) -> Int? {
    let entry = entries[slot(of: id.rawValue)]
    return entry.number == 0 ? nil : entry.place
  }

  /// Puts a view in, or changes its place. Its number must not be 0.
  public mutating func set(_ id: ViewID, to place: Int) {
    precondition(id.rawValue != 0, "0 is no number of a view")
    if 2 * (count + 1) > entries.count { grow() }
    let slot = slot(of: id.rawValue)
    if entries[slot].number == 0 { count += 1 }
    entries[slot] = Entry(number: id.rawValue, place: place)
  }

  /// Takes a view out, and returns where it was.
  @discardableResult
  public mutating func remove(_ id: ViewID) -> Int? {
    var hole = slot(of: id.rawValue)
    guard entries[hole].number != 0 else { return nil }
    let place = entries[hole].place
    count -= 1
    // What was put behind it, because it was in the way, comes forward.
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

  /// Where a number is, or would be put.
  private func slot(of number: UInt64) -> Int {
    let mask = entries.count - 1
    var slot = home(of: number)
    while entries[slot].number != number, entries[slot].number != 0 { slot = (slot + 1) & mask }
    return slot
  }

  /// Where a number would be if nothing were in the way: multiplied by 2^64 / the golden ratio, which spreads numbers
  /// that follow each other, the highest bits of it (Knuth, volume 3, section 6.4).
  private func home(of number: UInt64) -> Int {
    Int((number &* 0x9E37_79B9_7F4A_7C15) >> UInt64(64 - entries.count.trailingZeroBitCount))
  }
}
