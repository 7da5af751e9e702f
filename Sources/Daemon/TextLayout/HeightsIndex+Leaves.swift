extension HeightsIndex {
  /// A row that is taller than a byte says: its number in its leaf, and what it has beyond 255 lines.
  struct TallRow: Hashable, Sendable {
    var row: Int
    var excess: Int
  }

  /// Where a slot's bytes begin.
  func start(of slot: UInt32) -> Int { Int(slot) * shape.rowsPerLeaf }

  /// A slot for a new leaf.
  mutating func newSlot() -> UInt32 {
    if let slot = freeSlots.popLast() { return slot }
    let slot = UInt32(bytes.count / shape.rowsPerLeaf)
    bytes.append(contentsOf: repeatElement(0, count: shape.rowsPerLeaf))
    return slot
  }

  // MARK: Reading

  /// The lines of a leaf's first `row` rows.
  func lines(inLeaf leaf: Int, before row: Int) -> Int {
    let slot = slots[leaf]
    let first = start(of: slot)
    var sum = Self.sum(bytes.span.extracting(first..<first + row))
    if let tall = tallRows[slot] { for other in tall where other.row < row { sum += other.excess } }
    return sum
  }

  /// The row of a leaf that its line `line` belongs to, and which of the row's lines that is.
  func row(inLeaf leaf: Int, atLine line: Int) -> (row: Int, line: Int) {
    let slot = slots[leaf]
    let first = start(of: slot)
    let heights = bytes.span.extracting(first..<first + Int(leaves[leaf].rows))
    if tallRows[slot] != nil { return row(among: heights, slot: slot, atLine: line) }
    var line = line
    var row = 0
    while row + 32 <= heights.count {
      let sum = Self.sum(heights.extracting(row..<row + 32))
      if sum > line { break }
      line -= sum
      row += 32
    }
    while line >= heights[row] {
      line -= Int(heights[row])
      row += 1
    }
    return (row, line)
  }

  /// The same in a leaf with tall rows, one row at a time.
  private func row(among heights: Span<UInt8>, slot: UInt32, atLine line: Int) -> (row: Int, line: Int) {
    var line = line
    var row = 0
    while true {
      let height = Int(heights[row]) + (heights[row] < 255 ? 0 : excess(inSlot: slot, at: row))
      if line < height { return (row, line) }
      line -= height
      row += 1
    }
  }

  /// What a row has beyond 255 lines.
  func excess(inSlot slot: UInt32, at row: Int) -> Int { tallRows[slot]?.first { $0.row == row }?.excess ?? 0 }

  /// The sum of some heights; a loop that becomes vector instructions.
  private static func sum(_ heights: Span<UInt8>) -> Int {
    var sum: UInt32 = 0
    for index in heights.indices { sum &+= UInt32(heights[index]) }
    return Int(sum)
  }

  // MARK: Writing. The sums are the caller's to bring up to date.

  /// Puts a height into a leaf that has room.
  mutating func insert(_ height: Int, inLeaf leaf: Int, at row: Int) {
    precondition(height >= 0 && height <= Self.maximumHeight, "no height of a row")
    let slot = slots[leaf]
    move(slot: slot, rows: row..<Int(leaves[leaf].rows), by: 1)
    bytes[start(of: slot) + row] = UInt8(min(height, 255))
    shiftTallRows(slot: slot, from: row, by: 1)
    if height > 255 { tallRows[slot, default: []].append(TallRow(row: row, excess: height - 255)) }
  }

  /// Takes a height out of a leaf.
  mutating func remove(fromLeaf leaf: Int, at row: Int) -> Int {
    let height = replace(inLeaf: leaf, at: row, with: 0)
    let slot = slots[leaf]
    move(slot: slot, rows: row + 1..<Int(leaves[leaf].rows), by: -1)
    shiftTallRows(slot: slot, from: row + 1, by: -1)
    return height
  }

  /// Replaces a height in a leaf and returns the old one.
  mutating func replace(inLeaf leaf: Int, at row: Int, with height: Int) -> Int {
    precondition(height >= 0 && height <= Self.maximumHeight, "no height of a row")
    let slot = slots[leaf]
    let index = start(of: slot) + row
    var old = Int(bytes[index])
    if old == 255, let tall = tallRows[slot], let found = tall.firstIndex(where: { $0.row == row }) {
      old += tall[found].excess
      tallRows[slot]!.remove(at: found)
      if tall.count == 1 { tallRows[slot] = nil }
    }
    bytes[index] = UInt8(min(height, 255))
    if height > 255 { tallRows[slot, default: []].append(TallRow(row: row, excess: height - 255)) }
    return old
  }

  /// Moves bytes within a slot by way of the scratch leaf.
  private mutating func move(slot: UInt32, rows: Range<Int>, by distance: Int) {
    guard !rows.isEmpty else { return }
    let first = start(of: slot)
    copy(from: first + rows.lowerBound, count: rows.count)
    paste(to: first + rows.lowerBound + distance, count: rows.count)
  }

  /// Copies bytes to the start of the scratch leaf.
  private mutating func copy(from index: Int, count: Int) { Self.copy(bytes, index, to: &scratch, 0, count: count) }

  /// Copies bytes back from the start of the scratch leaf.
  private mutating func paste(to index: Int, count: Int) { Self.copy(scratch, 0, to: &bytes, index, count: count) }

  private static func copy(_ source: [UInt8], _ first: Int, to target: inout [UInt8], _ start: Int, count: Int) {
    let source = source.span.extracting(first..<first + count)
    var target = target.mutableSpan
    for offset in 0..<count { target[start + offset] = source[offset] }
  }

  private mutating func shiftTallRows(slot: UInt32, from row: Int, by distance: Int) {
    guard let tall = tallRows[slot] else { return }
    tallRows[slot] = tall.map { $0.row < row ? $0 : TallRow(row: $0.row + distance, excess: $0.excess) }
  }

  // MARK: Leaves that are too full or too empty

  /// Moves the second half of a full leaf into a new one behind it.
  mutating func split(_ leaf: Int) {
    let kept = shape.rowsPerLeaf / 2
    let moved = Int(leaves[leaf].rows) - kept
    let slot = slots[leaf]
    let other = newSlot()
    copy(from: start(of: slot) + kept, count: moved)
    paste(to: start(of: other), count: moved)
    if let tall = tallRows[slot] { divide(tall, at: kept, between: slot, and: other) }
    let whole = leaves[leaf]
    let lines = lines(inLeaf: leaf, before: kept)
    leaves[leaf] = LeafSum(rows: Int32(kept), lines: Int32(lines))
    leaves.insert(LeafSum(rows: Int32(moved), lines: whole.lines - Int32(lines)), at: leaf + 1)
    slots.insert(other, at: leaf + 1)
    sumAgain(from: leaf)
  }

  private mutating func divide(_ tall: [TallRow], at row: Int, between slot: UInt32, and other: UInt32) {
    let kept = tall.filter { $0.row < row }
    let moved = tall.filter { $0.row >= row }.map { TallRow(row: $0.row - row, excess: $0.excess) }
    tallRows[slot] = kept.isEmpty ? nil : kept
    tallRows[other] = moved.isEmpty ? nil : moved
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
    let (slot, other) = (slots[leaf], slots[leaf + 1])
    let kept = Int(leaves[leaf].rows)
    let moved = Int(leaves[leaf + 1].rows)
    copy(from: start(of: other), count: moved)
    paste(to: start(of: slot) + kept, count: moved)
    for tall in tallRows[other] ?? [] {
      tallRows[slot, default: []].append(TallRow(row: tall.row + kept, excess: tall.excess))
    }
    leaves[leaf].add(rows: moved, lines: Int(leaves[leaf + 1].lines))
    drop(leaf + 1)
  }

  /// Takes a leaf out of the order; its rows, if it has any, are elsewhere already.
  private mutating func drop(_ leaf: Int) {
    tallRows[slots[leaf]] = nil
    freeSlots.append(slots[leaf])
    slots.remove(at: leaf)
    leaves.remove(at: leaf)
    sumAgain(from: max(0, leaf - 1))
  }
}
