/// Eight heights as the bytes of one word, the first row's the lowest, so that plain integer arithmetic sums and moves eight at a
/// time.
private enum HeightWord {
  /// The bytes of the first `count` rows, 0 to 7.
  static func mask(_ count: Int) -> UInt64 { (1 &<< UInt64(8 * count)) - 1 }

  /// The heights as four sums of two, in 16 bits each; 64 of these still add up without a carry.
  static func pairs(_ word: UInt64) -> UInt64 { (word & 0x00FF_00FF_00FF_00FF) &+ (word >> 8 & 0x00FF_00FF_00FF_00FF) }

  /// The sum of four numbers of 16 bits, which is less than 65,536.
  static func sum(_ pairs: UInt64) -> Int { Int((pairs &* 0x0001_0001_0001_0001) >> 48) }
}

extension HeightsIndex {
  /// A row that is taller than a byte says: its number in its leaf, and what it has beyond 255 lines.
  struct TallRow: Hashable, Sendable {
    var row: Int
    var excess: Int
  }

  /// Words that a leaf takes.
  var wordsPerLeaf: Int { (shape.rowsPerLeaf + 7) >> 3 }

  /// A slot for a new leaf.
  mutating func newSlot() -> UInt32 {
    if let slot = freeSlots.popLast() { return slot }
    let slot = UInt32(words.count / wordsPerLeaf)
    words.append(contentsOf: repeatElement(0, count: wordsPerLeaf))
    return slot
  }

  // MARK: Reading

  /// A row's height.
  func height(inLeaf leaf: Int, at row: Int) -> Int {
    let slot = slots[leaf]
    let byte = Int(words[Int(slot) * wordsPerLeaf + row >> 3] &>> UInt64(8 * (row & 7)) & 0xFF)
    return byte < 255 ? byte : 255 + excess(inSlot: slot, at: row)
  }

  /// The lines of a leaf's first `row` rows.
  func lines(inLeaf leaf: Int, before row: Int) -> Int {
    let slot = slots[leaf]
    let first = Int(slot) * wordsPerLeaf
    let heights = words.span
    var pairs: UInt64 = 0
    for index in first..<first + row >> 3 { pairs &+= HeightWord.pairs(heights[index]) }
    if row & 7 != 0 { pairs &+= HeightWord.pairs(heights[first + row >> 3] & HeightWord.mask(row & 7)) }
    var sum = (pairs & 0xFFFF) &+ (pairs >> 16 & 0xFFFF) &+ (pairs >> 32 & 0xFFFF) &+ pairs >> 48
    if leaves[leaf].tall > 0 {
      for other in tallRows[slot] ?? [] where other.row < row { sum += UInt64(other.excess) }
    }
    return Int(sum)
  }

  /// The row of a leaf that its line `line` belongs to, and which of the row's lines that is.
  func row(inLeaf leaf: Int, atLine line: Int) -> (row: Int, line: Int) {
    guard leaves[leaf].tall == 0 else { return row(inTallLeaf: leaf, atLine: line) }
    var index = Int(slots[leaf]) * wordsPerLeaf
    let first = index
    let heights = words.span
    var line = line
    // Four words at a time as long as the slot has them; what is behind the leaf's last row is never reached.
    while index + 4 <= first + wordsPerLeaf {
      let pairs =
        HeightWord.pairs(heights[index]) &+ HeightWord.pairs(heights[index + 1]) &+ HeightWord.pairs(heights[index + 2])
        &+ HeightWord.pairs(heights[index + 3])
      let sum = HeightWord.sum(pairs)
      if line < sum { break }
      line -= sum
      index += 4
    }
    while case let sum = HeightWord.sum(HeightWord.pairs(heights[index])), line >= sum {
      line -= sum
      index += 1
    }
    var row = (index - first) << 3
    var word = heights[index]
    while line >= Int(word & 0xFF) {
      line -= Int(word & 0xFF)
      word >>= 8
      row += 1
    }
    return (row, line)
  }

  /// The same in a leaf with tall rows, one row at a time.
  private func row(inTallLeaf leaf: Int, atLine line: Int) -> (row: Int, line: Int) {
    var line = line
    var row = 0
    while case let height = height(inLeaf: leaf, at: row), line >= height {
      line -= height
      row += 1
    }
    return (row, line)
  }

  /// What a row has beyond 255 lines.
  private func excess(inSlot slot: UInt32, at row: Int) -> Int { tallRows[slot]?.first { $0.row == row }?.excess ?? 0 }

  // MARK: Writing. The numbers of rows and lines are the caller's to bring up to date.

  /// Puts a height into a leaf that has room.
  mutating func insert(_ height: Int, inLeaf leaf: Int, at row: Int) {
    precondition(height >= 0 && height <= Self.maximumHeight, "no height of a row")
    let first = Int(slots[leaf]) * wordsPerLeaf
    let last = first + Int(leaves[leaf].rows) >> 3
    Self.insert(UInt8(min(height, 255)), into: &words, from: first + row >> 3, through: last, row & 7)
    if leaves[leaf].tall > 0 { shiftTallRows(leaf, from: row, by: 1) }
    if height > 255 { addTallRow(TallRow(row: row, excess: height - 255), toLeaf: leaf) }
  }

  /// Puts a height behind the last one of a leaf that has room.
  mutating func put(_ height: Int, inLeaf leaf: Int, at row: Int) {
    precondition(height >= 0 && height <= Self.maximumHeight, "no height of a row")
    let shift = UInt64(8 * (row & 7))
    let index = Int(slots[leaf]) * wordsPerLeaf + row >> 3
    words[index] = words[index] & ~(0xFF &<< shift) | UInt64(min(height, 255)) &<< shift
    if height > 255 { addTallRow(TallRow(row: row, excess: height - 255), toLeaf: leaf) }
  }

  /// Takes a height out of a leaf.
  mutating func remove(fromLeaf leaf: Int, at row: Int) -> Int {
    let height = replace(inLeaf: leaf, at: row, with: 0)
    let first = Int(slots[leaf]) * wordsPerLeaf
    Self.remove(from: &words, first + row >> 3, through: first + (Int(leaves[leaf].rows) - 1) >> 3, row & 7)
    if leaves[leaf].tall > 0 { shiftTallRows(leaf, from: row + 1, by: -1) }
    return height
  }

  /// Moves the bytes of some words up by one from byte `byte` of the first on, and puts a height there.
  private static func insert(_ height: UInt8, into words: inout [UInt64], from first: Int, through last: Int, _ byte: Int) {
    var heights = words.mutableSpan
    var index = last
    while index > first {
      heights[index] = heights[index] << 8 | heights[index - 1] >> 56
      index -= 1
    }
    let before = HeightWord.mask(byte)
    heights[first] = heights[first] & before | (heights[first] & ~before) << 8 | UInt64(height) &<< UInt64(8 * byte)
  }

  /// Moves the bytes of some words down by one, over byte `byte` of the first.
  private static func remove(from words: inout [UInt64], _ first: Int, through last: Int, _ byte: Int) {
    var heights = words.mutableSpan
    let before = HeightWord.mask(byte)
    heights[first] = heights[first] & before | heights[first] >> 8 & ~before
    var index = first
    while index < last {
      heights[index] |= heights[index + 1] << 56
      index += 1
      heights[index] >>= 8
    }
  }

  /// Replaces a height in a leaf and returns the old one.
  mutating func replace(inLeaf leaf: Int, at row: Int, with height: Int) -> Int {
    precondition(height >= 0 && height <= Self.maximumHeight, "no height of a row")
    let index = Int(slots[leaf]) * wordsPerLeaf + row >> 3
    let shift = UInt64(8 * (row & 7))
    var old = Int(words[index] &>> shift & 0xFF)
    if old == 255 { old += removeTallRow(row, fromLeaf: leaf) }
    words[index] = words[index] & ~(0xFF &<< shift) | UInt64(min(height, 255)) &<< shift
    if height > 255 { addTallRow(TallRow(row: row, excess: height - 255), toLeaf: leaf) }
    return old
  }

  // MARK: Tall rows

  private mutating func addTallRow(_ row: TallRow, toLeaf leaf: Int) {
    tallRows[slots[leaf], default: []].append(row)
    leaves[leaf].tall += 1
  }

  /// Forgets what a row has beyond 255 lines and returns it.
  private mutating func removeTallRow(_ row: Int, fromLeaf leaf: Int) -> Int {
    guard var tall = tallRows[slots[leaf]], let found = tall.firstIndex(where: { $0.row == row }) else { return 0 }
    let excess = tall.remove(at: found).excess
    setTallRows(tall, ofLeaf: leaf)
    return excess
  }

  private mutating func shiftTallRows(_ leaf: Int, from row: Int, by distance: Int) {
    let tall = tallRows[slots[leaf]] ?? []
    setTallRows(
      tall.map { $0.row < row ? $0 : TallRow(row: $0.row + distance, excess: $0.excess) }, ofLeaf: leaf)
  }

  private mutating func setTallRows(_ tall: [TallRow], ofLeaf leaf: Int) {
    tallRows[slots[leaf]] = tall.isEmpty ? nil : tall
    leaves[leaf].tall = UInt16(tall.count)
  }

  // MARK: Leaves that are too full or too empty

  /// Moves the second half of a full leaf into a new one behind it.
  mutating func split(_ leaf: Int) {
    let rows = Int(leaves[leaf].rows)
    let kept = rows / 2
    let heights = (kept..<rows).map { height(inLeaf: leaf, at: $0) }
    setTallRows((tallRows[slots[leaf]] ?? []).filter { $0.row < kept }, ofLeaf: leaf)
    leaves[leaf].add(rows: kept - rows, lines: -heights.reduce(0, +))
    slots.insert(newSlot(), at: leaf + 1)
    leaves.insert(LeafSum(), at: leaf + 1)
    fill(leaf + 1, with: heights)
    sumAgain(from: leaf)
  }

  /// After a removal: an empty leaf goes, one less than a quarter full is joined with a neighbour that has the room.
  mutating func tidy(_ leaf: Int) {
    guard leaves[leaf].rows < max(1, shape.rowsPerLeaf / 4) else { return }
    if leaves[leaf].rows == 0 {
      drop(leaf)
    } else if leaf + 1 < leaves.count, fits(leaf) {
      join(leaf)
    } else if leaf > 0, fits(leaf - 1) {
      join(leaf - 1)
    }
  }

  /// Whether a leaf and the next leave room for inserts in one.
  private func fits(_ leaf: Int) -> Bool {
    Int(leaves[leaf].rows) + Int(leaves[leaf + 1].rows) <= shape.rowsPerLeaf * 3 / 4
  }

  /// Moves all rows of the next leaf into `leaf`.
  private mutating func join(_ leaf: Int) {
    fill(leaf, with: (0..<Int(leaves[leaf + 1].rows)).map { height(inLeaf: leaf + 1, at: $0) })
    drop(leaf + 1)
  }

  /// Adds rows behind those of a leaf that has room for them.
  mutating func fill(_ leaf: Int, with heights: [Int]) {
    var row = Int(leaves[leaf].rows)
    for height in heights {
      put(height, inLeaf: leaf, at: row)
      row += 1
    }
    leaves[leaf].add(rows: heights.count, lines: heights.reduce(0, +))
  }

  /// Takes a leaf out of the order; its rows, if it has any, are elsewhere already.
  private mutating func drop(_ leaf: Int) {
    setTallRows([], ofLeaf: leaf)
    freeSlots.append(slots[leaf])
    slots.remove(at: leaf)
    leaves.remove(at: leaf)
    sumAgain(from: max(0, leaf - 1))
  }
}
