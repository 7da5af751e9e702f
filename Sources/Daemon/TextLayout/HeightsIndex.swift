/// The heights of a pane's rows. Finds the line at which a row begins, and the row at a line, among millions of rows.
///
/// Rows are counted from the oldest, so that a new post at the top of a timeline is an append; a caller that counts
/// lines from the top subtracts from ``total``. A "line" is the unit of heights: a terminal's lines, or points.
///
/// A height is one byte in a leaf of up to 512 rows, by a ``HeightScale``; heights without a byte are in a side table.
/// Above the leaves are three levels with the start of each leaf, of each 16 leaves and of each 512 leaves. Takes about
/// 1.1 bytes a row after appends, 1.4 after construction from a sequence or random inserts. A value type: a copy costs
/// nothing until one of the two changes.
public struct HeightsIndex: Sendable {
  /// The sizes of leaves and groups. Tests use the smallest, so that few rows fill all levels.
  struct Shape: Hashable, Sendable {
    /// 2 to 512; sums of more rows would not fit into 16 bits.
    var rowsPerLeaf: Int
    /// The binary logarithm of the leaves in a group, up to 4.
    var leafBits: Int
    /// The binary logarithm of the groups in a top entry, up to 5.
    var groupBits: Int

    static let standard = Shape(rowsPerLeaf: 512, leafBits: 4, groupBits: 5)
  }

  /// The state of the last leaf that an append needs, stored here so that an append does not change the directory.
  struct LastLeaf: Sendable {
    /// The number of rows before it. Without leaves, as if a full leaf ended at row 0.
    var start: Int
    /// The index of its first word.
    var word = 0
    /// The word with its newest rows. Written to `words` only when it is full, because that costs more than the rest of
    /// an append.
    var newest: UInt64 = 0
  }

  /// The mapping from bytes to heights.
  public let scale: HeightScale
  let shape: Shape
  /// The heights of the leaves, eight a word, in slots of `rowsPerLeaf` in no particular order.
  var words: [UInt64] = []
  /// The slots of removed leaves.
  var freeSlots: [UInt32] = []
  /// The leaves in the order of their rows.
  var leaves: [Leaf] = []
  /// The start of each group of 16 leaves, relative to the start of its 32 groups.
  var middles: [Extent] = []
  /// The start of each 32 groups.
  var tops: [Top] = []
  var lastLeaf: LastLeaf
  /// The rows whose height has no byte.
  var tallRows = TallRows()

  /// The number of rows.
  public internal(set) var count = 0
  /// The sum of all heights, in lines.
  public internal(set) var total = 0

  /// The maximum height of a row in lines: far more than the longest post. Those of 512 leaves together fit into 44
  /// bits.
  public static let maximumHeight = 1 << 26 - 1

  /// The approximate size of the index in bytes, without reserved capacity.
  public var byteCount: Int {
    words.count * 8 + leaves.count * MemoryLayout<Leaf>.stride + middles.count * 8 + tops.count * 16 + freeSlots.count
      * 4
      + tallRows.byteCount
  }

  /// Creates an index without rows.
  public init(scale: HeightScale = .plain) { self.init(scale: scale, shape: .standard) }

  init(scale: HeightScale, shape: Shape) {
    self.scale = scale
    self.shape = shape
    lastLeaf = LastLeaf(start: -shape.rowsPerLeaf)
  }

  /// Returns the height of a row. O(1) except for the top level, which has an entry for about 200,000 rows. The same
  /// holds for all methods below.
  public func height(at row: Int) -> Int {
    let place = place(ofRow: row)
    return height(inLeaf: place.leaf, at: row - place.rows)
  }

  /// Returns the lines of all rows before `row`, which may be ``count``.
  public func offset(ofRow row: Int) -> Int {
    if row == count { return total }
    let place = place(ofRow: row)
    return place.lines &+ lines(inLeaf: place.leaf, before: row &- place.rows)
  }

  /// Returns the row at line `offset`, and the number of that line in the row; `nil` if there are no lines.
  ///
  /// An offset outside 0 ..< ``total`` is clamped. Rows of height 0 have no lines and are never found.
  public func row(atOffset offset: Int) -> (row: Int, line: Int)? {
    guard total > 0 else { return nil }
    let line = min(max(offset, 0), total &- 1)
    let place = place(of: .line(line))
    let found = row(inLeaf: place.leaf, atLine: line &- place.lines)
    return (place.rows &+ found.row, found.line)
  }

  /// Appends a row after the newest.
  public mutating func append(_ height: Int) {
    let row = lastRows
    guard row < shape.rowsPerLeaf, let byte = scale.byte(for: height) else { return appendRarely(height) }
    lastLeaf.newest |= UInt64(truncatingIfNeeded: byte) &<< UInt64(truncatingIfNeeded: row &<< 3)
    if row & 7 == 7 { finishWord(row) }
    count &+= 1
    total &+= height
  }

  /// Writes the word that ends with row `row` of the last leaf.
  @inline(never)
  private mutating func finishWord(_ row: Int) {
    words[lastLeaf.word + row >> 3] = lastLeaf.newest
    lastLeaf.newest = 0
  }

  /// Appends a row whose height has no byte, or that needs another leaf.
  @inline(never)
  private mutating func appendRarely(_ height: Int) {
    if lastRows == shape.rowsPerLeaf { appendLeaf() } else { close() }
    let last = leaves.count - 1
    if put(height, inSlot: leaves[last].slot, at: lastRows) { leaves[last].tall += 1 }
    count += 1
    total += height
    reopen()
  }

  /// Inserts a row at `row`, which may be ``count``. O(leaves) if a leaf must be split, which is rare.
  public mutating func insert(_ height: Int, at row: Int) {
    if row == count { return append(height) }
    var place = place(ofRow: row)
    if rows(ofLeaf: place.leaf) == shape.rowsPerLeaf {
      split(place.leaf)
      place = self.place(ofRow: row)
    }
    let isLast = place.leaf == leaves.count &- 1
    if isLast { close() }
    insert(height, inLeaf: place.leaf, at: row &- place.rows)
    add(rows: 1, lines: height, toLeaf: place.leaf)
    if isLast { reopen() }
  }

  /// Removes a row and returns its height. O(leaves) if a leaf is removed or merged, which is rare.
  @discardableResult
  public mutating func remove(at row: Int) -> Int {
    let place = place(ofRow: row)
    let isLast = place.leaf == leaves.count &- 1
    if isLast { close() }
    let height = remove(fromLeaf: place.leaf, at: row &- place.rows)
    add(rows: -1, lines: -height, toLeaf: place.leaf)
    if isLast { reopen() }
    if rows(ofLeaf: place.leaf) < max(1, shape.rowsPerLeaf &>> 2) { tidy(place.leaf) }
    return height
  }

  /// Changes the height of a row and returns the old one.
  @discardableResult
  public mutating func change(at row: Int, to height: Int) -> Int {
    let place = place(ofRow: row)
    let isLast = place.leaf == leaves.count &- 1
    if isLast { close() }
    let old = replace(inLeaf: place.leaf, at: row &- place.rows, with: height)
    if height != old { add(rows: 0, lines: height &- old, toLeaf: place.leaf) }
    if isLast { reopen() }
    return old
  }

  @inline(__always)
  func place(ofRow row: Int) -> Place {
    precondition(row >= 0 && row < count, "row out of range")
    return place(of: .row(row))
  }
}
