/// The side table of a ``HeightsIndex``: rows whose height has no byte, in order, by the slot of their leaf.
struct TallRows: Sendable {
  /// A row: its number in its leaf, and its positive or negative difference to the height of byte 255.
  struct Entry: Hashable, Sendable {
    var row: Int
    var excess: Int
  }

  private var entries: [UInt32: [Entry]] = [:]

  /// The approximate size of the table in bytes.
  var byteCount: Int { entries.reduce(0) { $0 + 48 + $1.value.count * MemoryLayout<Entry>.stride } }

  /// Returns the rows of a leaf.
  func rows(inSlot slot: UInt32) -> [Entry] { entries[slot] ?? [] }

  /// Returns a row's difference to the height of byte 255; 0 if it is not in the table.
  func excess(inSlot slot: UInt32, at row: Int) -> Int { rows(inSlot: slot).first { $0.row == row }?.excess ?? 0 }

  /// Returns the sum of the differences of all rows before one.
  func excess(inSlot slot: UInt32, before row: Int) -> Int {
    rows(inSlot: slot).reduce(0) { $0 + ($1.row < row ? $1.excess : 0) }
  }

  /// Adds a row that is not in the table, usually after all others.
  mutating func add(_ row: Int, excess: Int, inSlot slot: UInt32) {
    let place = rows(inSlot: slot).lastIndex { $0.row < row }.map { $0 + 1 } ?? 0
    entries[slot, default: []].insert(Entry(row: row, excess: excess), at: place)
  }

  /// Removes a row. Returns its difference; nil if it is not in the table.
  mutating func remove(_ row: Int, inSlot slot: UInt32) -> Int? {
    guard let place = rows(inSlot: slot).firstIndex(where: { $0.row == row }) else { return nil }
    let removed = entries[slot, default: []].remove(at: place)
    if rows(inSlot: slot).isEmpty { removeAll(inSlot: slot) }
    return removed.excess
  }

  /// Removes the rows of a leaf.
  mutating func removeAll(inSlot slot: UInt32) { entries[slot] = nil }

  /// Moves the rows of a leaf from `row` on by `distance`.
  mutating func shift(inSlot slot: UInt32, from row: Int, by distance: Int) {
    for index in rows(inSlot: slot).indices where rows(inSlot: slot)[index].row >= row {
      entries[slot, default: []][index].row += distance
    }
  }
}
