extension HeightsIndex {
  /// Creates an index of `count` rows with space for inserts between them. Calls `height` once for each row, the oldest
  /// first. O(n).
  public init(count: Int, scale: HeightScale = .plain, height: (_ row: Int) -> Int) {
    self.init(count: count, scale: scale, shape: .standard, height: height)
  }

  init(count: Int, scale: HeightScale, shape: Shape, height: (_ row: Int) -> Int) {
    self.init(scale: scale, shape: shape)
    for row in 0..<count {
      if lastRows >= usualRows { appendLeaf() }
      append(height(row))
    }
  }

  /// Creates an index of `count` rows of the same height, with space for inserts between them. O(n), eight rows a word.
  public init(repeating height: Int, count: Int, scale: HeightScale = .plain) {
    self.init(repeating: height, count: count, scale: scale, shape: .standard)
  }

  init(repeating height: Int, count: Int, scale: HeightScale, shape: Shape) {
    guard let byte = scale.byte(for: height) else {
      self.init(count: count, scale: scale, shape: shape) { _ in height }
      return
    }
    self.init(scale: scale, shape: shape)
    let slots = (count + usualRows - 1) / usualRows
    words = Array(repeating: UInt64(byte) &* 0x0101_0101_0101_0101, count: slots * wordsPerLeaf)
    freeSlots = (0..<slots).reversed().map { UInt32($0) }
    for _ in 0..<slots {
      appendLeaf()
      let rows = min(usualRows, count - self.count)
      self.count += rows
      total += rows * height
      reopen()
    }
  }

  /// Replaces the heights of the rows from `row` on. Updates the directory once a leaf. O(rows).
  public mutating func replace(from row: Int, with heights: Span<Int>) {
    precondition(row >= 0 && heights.count <= count - row, "rows out of range")
    var done = 0
    while done < heights.count {
      let place = place(ofRow: row + done)
      let first = row + done - place.rows
      let end = min(heights.count - done, rows(ofLeaf: place.leaf) - first)
      var change = 0
      close()
      for index in 0..<end {
        let height = heights[done + index]
        change += height - replace(inLeaf: place.leaf, at: first + index, with: height)
      }
      if change != 0 { add(rows: 0, lines: change, toLeaf: place.leaf) }
      reopen()
      done += end
    }
  }

  /// Inserts rows, the first of them at `row`, which may be ``count``. O(rows + leaves).
  public mutating func insert(contentsOf heights: Span<Int>, at row: Int) {
    precondition(row >= 0 && row <= count, "row out of range")
    if row == count {
      for index in heights.indices { append(heights[index]) }
    } else if heights.count < max(2, shape.rowsPerLeaf / 8) {
      for index in heights.indices { insert(heights[index], at: row + index) }
    } else {
      let place = place(ofRow: row)
      var all = self.heights(ofLeaf: place.leaf)
      var new: [Int] = []
      new.reserveCapacity(heights.count)
      for index in heights.indices { new.append(heights[index]) }
      all.insert(contentsOf: new, at: row - place.rows)
      remake(place.leaf..<place.leaf + 1, with: all)
    }
  }
}
