extension HeightsIndex {
  // MARK: Tall rows

  /// Adds a row to the side table, with its difference to the height of byte 255.
  @inline(never)
  mutating func addTallRow(_ height: Int, at row: Int, in slot: UInt32) {
    tallRows.add(row, excess: height - scale.tall, inSlot: slot)
  }

  /// Removes a row from the side table and returns its difference to the height of byte 255.
  @inline(never)
  mutating func removeTallRow(_ row: Int, fromLeaf leaf: Int) -> Int {
    guard let excess = tallRows.remove(row, inSlot: leaves[leaf].slot) else { return 0 }
    leaves[leaf].tall -= 1
    return excess
  }

  /// Moves the side table's rows from `row` on by `distance`.
  @inline(never)
  mutating func shiftTallRows(_ leaf: Int, from row: Int, by distance: Int) {
    tallRows.shift(inSlot: leaves[leaf].slot, from: row, by: distance)
  }

  // MARK: Splitting and merging leaves

  /// The number of rows in a newly filled leaf, which leaves space for inserts.
  var usualRows: Int { max(1, shape.rowsPerLeaf * 3 / 4) }

  /// Returns the heights of a leaf.
  func heights(ofLeaf leaf: Int) -> [Int] { (0..<rows(ofLeaf: leaf)).map { height(inLeaf: leaf, at: $0) } }

  /// Replaces leaves by new ones with these heights, divided evenly. O(rows + leaves).
  mutating func remake(_ range: Range<Int>, with heights: [Int]) {
    close()
    for leaf in leaves[range] {
      tallRows.removeAll(inSlot: leaf.slot)
      freeSlots.append(leaf.slot)
    }
    let leafCount = (heights.count + usualRows - 1) / usualRows
    let new = (0..<leafCount).map { leaf in
      newLeaf(heights[heights.count * leaf / leafCount..<heights.count * (leaf + 1) / leafCount])
    }
    replaceLeaves(range, with: new)
  }

  /// Makes a leaf of these heights that is not in the order yet; its `start` has its own extent.
  private mutating func newLeaf(_ heights: ArraySlice<Int>) -> Leaf {
    var leaf = Leaf(
      start: Extent(rows: heights.count, lines: heights.reduce(0, +)), slot: newSlot(), rows: UInt16(heights.count))
    for (row, height) in heights.enumerated() where put(height, inSlot: leaf.slot, at: row) { leaf.tall += 1 }
    return leaf
  }

  /// Splits a full leaf in two.
  @inline(never)
  mutating func split(_ leaf: Int) { remake(leaf..<leaf + 1, with: heights(ofLeaf: leaf)) }

  /// Cleans up after a removal: removes an empty leaf, and merges one less than a quarter full with a neighbour if both
  /// fit into one.
  @inline(never)
  mutating func tidy(_ leaf: Int) {
    if rows(ofLeaf: leaf) == 0 {
      remake(leaf..<leaf + 1, with: [])
    } else if leaf + 1 < leaves.count, fits(leaf) {
      remake(leaf..<leaf + 2, with: heights(ofLeaf: leaf) + heights(ofLeaf: leaf + 1))
    } else if leaf > 0, fits(leaf - 1) {
      remake(leaf - 1..<leaf + 1, with: heights(ofLeaf: leaf - 1) + heights(ofLeaf: leaf))
    }
  }

  /// True if a leaf and the next fit into one with space for inserts.
  private func fits(_ leaf: Int) -> Bool { rows(ofLeaf: leaf) + rows(ofLeaf: leaf + 1) <= usualRows }
}
