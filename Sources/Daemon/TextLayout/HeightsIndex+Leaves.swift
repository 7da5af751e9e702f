/// Eight bytes of heights in one word, the first row lowest, so that integer arithmetic sums and moves eight at a time.
enum HeightWord {
  /// Returns the mask of the first `count` rows, 0 to 7.
  @inline(__always)
  static func mask(_ count: Int) -> UInt64 { (1 &<< UInt64(truncatingIfNeeded: 8 &* count)) &- 1 }

  /// Returns the bytes as four sums of two in 16 bits each; 64 of these can be added without a carry.
  @inline(__always)
  static func pairs(_ word: UInt64) -> UInt64 { (word & 0x00FF_00FF_00FF_00FF) &+ (word >> 8 & 0x00FF_00FF_00FF_00FF) }

  /// Returns the sum of four 16-bit numbers, if it is less than 65,536.
  @inline(__always)
  static func sum(_ pairs: UInt64) -> Int { Int(truncatingIfNeeded: (pairs &* 0x0001_0001_0001_0001) >> 48) }

  /// Returns the sum of four 16-bit numbers.
  @inline(__always)
  static func wideSum(_ pairs: UInt64) -> Int {
    let two = (pairs & 0x0000_FFFF_0000_FFFF) &+ (pairs >> 16 & 0x0000_FFFF_0000_FFFF)
    return Int(truncatingIfNeeded: (two & 0xFFFF_FFFF) &+ two >> 32)
  }
}

extension HeightsIndex {
  /// The number of words in a leaf.
  @inline(__always)
  var wordsPerLeaf: Int { (shape.rowsPerLeaf &+ 7) &>> 3 }

  /// Returns a slot for a new leaf.
  mutating func newSlot() -> UInt32 {
    if let slot = freeSlots.popLast() { return slot }
    let slot = UInt32(words.count / wordsPerLeaf)
    words.append(contentsOf: repeatElement(0, count: wordsPerLeaf))
    return slot
  }

  // MARK: Newest word

  /// Returns the number of a leaf's words that are complete in `words`; in the last leaf, its newest word follows them.
  @inline(__always)
  private func wholeWords(ofLeaf leaf: Int) -> Int { leaf == leaves.count &- 1 ? lastRows &>> 3 : wordsPerLeaf }

  /// Writes the newest word back, before any other change of the last leaf.
  mutating func close() {
    if !leaves.isEmpty, lastRows & 7 != 0 { words[lastLeaf.word + lastRows >> 3] = lastLeaf.newest }
  }

  /// Reads the newest word again after ``close()``.
  mutating func reopen() {
    let rows = lastRows & 7
    lastLeaf.newest = leaves.isEmpty || rows == 0 ? 0 : words[lastLeaf.word + lastRows >> 3] & HeightWord.mask(rows)
  }

  // MARK: Reading

  /// Returns the range of a leaf's words.
  @inline(__always)
  private func range(ofLeaf leaf: Int) -> Range<Int> {
    let first = Int(leaves[leaf].slot) &* wordsPerLeaf
    return first..<first &+ wordsPerLeaf
  }

  /// Returns the height of a row.
  func height(inLeaf leaf: Int, at row: Int) -> Int {
    let heights = words.span.extracting(range(ofLeaf: leaf))
    let word = row >> 3 < wholeWords(ofLeaf: leaf) ? heights[row >> 3] : lastLeaf.newest
    let byte = Int(word &>> UInt64(8 &* (row & 7)) & 0xFF)
    let height = scale.height(rows: 1, bytes: byte)
    return byte < 255 ? height : height + tallRows.excess(inSlot: leaves[leaf].slot, at: row)
  }

  /// Returns the lines of a leaf's first `row` rows, which must not be all.
  @inline(__always)
  func lines(inLeaf leaf: Int, before row: Int) -> Int {
    let heights = words.span.extracting(range(ofLeaf: leaf))
    let word = row >> 3 < wholeWords(ofLeaf: leaf) ? heights[row >> 3] : lastLeaf.newest
    var pairs = HeightWord.pairs(word & HeightWord.mask(row & 7))
    let whole = heights.extracting(..<(row >> 3))
    for index in 0..<whole.count { pairs &+= HeightWord.pairs(whole[index]) }
    let lines = scale.height(rows: row, bytes: HeightWord.wideSum(pairs))
    return leaves[leaf].tall == 0 ? lines : lines + tallRows.excess(inSlot: leaves[leaf].slot, before: row)
  }

  /// Returns the row of a leaf that contains its line `line`, and the number of that line in the row.
  @inline(__always)
  func row(inLeaf leaf: Int, atLine line: Int) -> (row: Int, line: Int) {
    guard leaves[leaf].tall == 0 else { return row(inTallLeaf: leaf, atLine: line) }
    let heights = words.span.extracting(range(ofLeaf: leaf))
    var line = line
    var index = 0
    // Four words at a time while there are as many; bytes after the leaf's last row are never reached.
    let whole = wholeWords(ofLeaf: leaf)
    while index &+ 4 <= whole {
      let pairs =
        HeightWord.pairs(heights[index]) &+ HeightWord.pairs(heights[index &+ 1])
        &+ HeightWord.pairs(heights[index &+ 2])
        &+ HeightWord.pairs(heights[index &+ 3])
      let sum = scale.height(rows: 32, bytes: HeightWord.sum(pairs))
      if line < sum { break }
      line &-= sum
      index &+= 4
    }
    while index < whole, case let sum = scale.height(rows: 8, bytes: HeightWord.sum(HeightWord.pairs(heights[index]))),
      line >= sum
    {
      line &-= sum
      index &+= 1
    }
    let found = row(inWord: index < whole ? heights[index] : lastLeaf.newest, atLine: line)
    return (index << 3 &+ found.row, found.line)
  }

  /// Returns the row of a word that contains its line `line`: the number of its eight rows that end at or before it.
  @inline(__always)
  private func row(inWord word: UInt64, atLine line: Int) -> (row: Int, line: Int) {
    // In each 16 bits, the bytes of all rows through the second of a pair, and through the first.
    let seconds = HeightWord.pairs(word) &* 0x0001_0001_0001_0001
    let firsts = seconds &- (word >> 8 & 0x00FF_00FF_00FF_00FF)
    var row = 0
    for pair in 0..<4 {
      let shift = UInt64(truncatingIfNeeded: 16 &* pair)
      let first = scale.height(rows: 2 &* pair &+ 1, bytes: Int(truncatingIfNeeded: firsts &>> shift & 0xFFFF))
      let second = scale.height(rows: 2 &* pair &+ 2, bytes: Int(truncatingIfNeeded: seconds &>> shift & 0xFFFF))
      row &+= (first <= line ? 1 : 0) &+ (second <= line ? 1 : 0)
    }
    let before = HeightWord.sum(HeightWord.pairs(word & HeightWord.mask(row)))
    return (row, line &- scale.height(rows: row, bytes: before))
  }

  /// Like ``row(inLeaf:atLine:)`` for a leaf with tall rows: skips the rows between two of them by their sum.
  private func row(inTallLeaf leaf: Int, atLine line: Int) -> (row: Int, line: Int) {
    var row = 0
    var start = 0
    // Find the last row known to begin at or before the line.
    for tall in tallRows.rows(inSlot: leaves[leaf].slot) {
      let next = lines(inLeaf: leaf, before: tall.row)
      if next > line { break }
      (row, start) = (tall.row, next)
    }
    var line = line - start
    while case let height = height(inLeaf: leaf, at: row), line >= height {
      line -= height
      row += 1
    }
    return (row, line)
  }

  // MARK: Writing. The caller updates the leaf's totals and the directory.

  /// Returns the byte of a height, or 255 for a height that belongs in the side table.
  @inline(__always)
  private func byte(for height: Int) -> UInt8 {
    if let byte = scale.byte(for: height) { return byte }
    precondition(height >= 0 && height <= Self.maximumHeight, "height out of range")
    return 255
  }

  /// Inserts a height into a leaf with space.
  @inline(__always)
  mutating func insert(_ height: Int, inLeaf leaf: Int, at row: Int) {
    let byte = byte(for: height)
    let first = Int(leaves[leaf].slot) &* wordsPerLeaf
    Self.insert(byte, into: &words, from: first &+ row >> 3, through: first &+ rows(ofLeaf: leaf) >> 3, row & 7)
    if leaves[leaf].tall > 0 { shiftTallRows(leaf, from: row, by: 1) }
    if byte == 255 {
      addTallRow(height, at: row, in: leaves[leaf].slot)
      leaves[leaf].tall += 1
    }
  }

  /// Writes a height after the last one of a leaf with space. Returns true if it is in the side table.
  @inline(__always)
  mutating func put(_ height: Int, inSlot slot: UInt32, at row: Int) -> Bool {
    let byte = byte(for: height)
    let shift = UInt64(truncatingIfNeeded: 8 &* (row & 7))
    let index = Int(slot) &* wordsPerLeaf &+ row >> 3
    words[index] = words[index] & ~(0xFF &<< shift) | UInt64(byte) &<< shift
    if byte == 255 { addTallRow(height, at: row, in: slot) }
    return byte == 255
  }

  /// Replaces a height in a leaf and returns the old one.
  @inline(__always)
  mutating func replace(inLeaf leaf: Int, at row: Int, with height: Int) -> Int {
    let byte = byte(for: height)
    let index = Int(leaves[leaf].slot) &* wordsPerLeaf &+ row >> 3
    let shift = UInt64(truncatingIfNeeded: 8 &* (row & 7))
    let oldByte = Int(truncatingIfNeeded: words[index] &>> shift & 0xFF)
    words[index] = words[index] & ~(0xFF &<< shift) | UInt64(byte) &<< shift
    var old = scale.height(rows: 1, bytes: oldByte)
    if oldByte == 255 { old += removeTallRow(row, fromLeaf: leaf) }
    if byte == 255 {
      addTallRow(height, at: row, in: leaves[leaf].slot)
      leaves[leaf].tall += 1
    }
    return old
  }

  /// Removes a height from a leaf and returns it.
  @inline(__always)
  mutating func remove(fromLeaf leaf: Int, at row: Int) -> Int {
    let first = Int(leaves[leaf].slot) &* wordsPerLeaf
    let byte = Self.remove(from: &words, first &+ row >> 3, through: first &+ (rows(ofLeaf: leaf) &- 1) >> 3, row & 7)
    var height = scale.height(rows: 1, bytes: Int(byte))
    if byte == 255 { height += removeTallRow(row, fromLeaf: leaf) }
    if leaves[leaf].tall > 0 { shiftTallRows(leaf, from: row, by: -1) }
    return height
  }

  /// Moves the bytes of some words up by one from byte `byte` of the first word on, and writes another byte there.
  @inline(__always)
  private static func insert(
    _ height: UInt8, into words: inout [UInt64], from first: Int, through last: Int, _ byte: Int
  ) {
    var heights = words.mutableSpan
    // One check here removes those in the loop.
    precondition(first >= 0 && first <= last && last < heights.count)
    var index = last
    while index > first {
      heights[index] = heights[index] << 8 | heights[index &- 1] >> 56
      index &-= 1
    }
    let before = HeightWord.mask(byte)
    heights[first] = heights[first] & before | (heights[first] & ~before) << 8
    heights[first] |= UInt64(height) &<< UInt64(truncatingIfNeeded: 8 &* byte)
  }

  /// Moves the bytes of some words down by one, over byte `byte` of the first word, and returns that byte.
  @inline(__always)
  private static func remove(from words: inout [UInt64], _ first: Int, through last: Int, _ byte: Int) -> UInt8 {
    var heights = words.mutableSpan
    precondition(first >= 0 && first <= last && last < heights.count)
    let before = HeightWord.mask(byte)
    let old = heights[first]
    heights[first] = old & before | old >> 8 & ~before
    if first < last { heights[first] |= heights[first &+ 1] << 56 }
    var index = first &+ 1
    while index < last {
      heights[index] = heights[index] >> 8 | heights[index &+ 1] << 56
      index &+= 1
    }
    if first < last { heights[last] >>= 8 }
    return UInt8(truncatingIfNeeded: old &>> UInt64(truncatingIfNeeded: 8 &* byte))
  }
}
