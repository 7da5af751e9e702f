/// The heights of a pane's rows, for the question at which line a row begins and the one back, among millions of rows.
///
/// Rows are counted from the oldest, so that a new post at the top of a timeline is an append; whoever counts lines
/// from the top takes them from ``total``. A "line" is the unit of heights, whatever that is: a terminal's lines, or
/// points.
///
/// A height is one byte in a leaf of up to 512 rows (which byte, a ``HeightScale`` says); what has no byte is in a side
/// table. Above the leaves are three levels that say where each leaf, each 16 and each 512 leaves begin. About 1.1
/// bytes a row after appends, 1.4 made from a sequence or after inserts at random. A value: a copy costs nothing until
/// one of both is changed.
public struct HeightsIndex: Sendable {
  /// How much there is of each thing at most. Tests take the smallest, so that few rows reach deep.
  struct Shape: Hashable, Sendable {
    /// 2 to 512: more would not add up in 16 bits.
    var rowsPerLeaf: Int
    /// Two to this are the leaves of a group, up to 4.
    var leafBits: Int
    /// Two to this are the groups under an entry at the top, up to 5.
    var groupBits: Int

    static let standard = Shape(rowsPerLeaf: 512, leafBits: 4, groupBits: 5)
  }

  /// What an append needs of the last leaf: kept here, so that it changes nothing in the directory.
  struct LastLeaf: Sendable {
    /// How many rows are before it. Without a leaf it is as if a full one ended at row 0.
    var start: Int
    /// Where its words are.
    var word = 0
    /// The word that its newest rows are in until it is full: only then does it go to `words`, for to write there costs
    /// more than all the rest of an append.
    var newest: UInt64 = 0
  }

  /// Which byte stands for which height.
  public let scale: HeightScale
  let shape: Shape
  /// The leaves' heights, eight a word, one slot of `rowsPerLeaf` after the other, in no order.
  var words: [UInt64] = []
  /// Slots of leaves that are no more.
  var freeSlots: [UInt32] = []
  /// The leaves in the order of their rows.
  var leaves: [Leaf] = []
  /// Where each group of 16 leaves begins, counted from where the 32 groups begin that it is one of.
  var middles: [Extent] = []
  /// Where each 32 groups begin.
  var tops: [Top] = []
  var lastLeaf: LastLeaf
  /// The rows whose height has no byte.
  var tallRows = TallRows()

  /// The number of rows.
  public internal(set) var count = 0
  /// The sum of all heights, in lines.
  public internal(set) var total = 0

  /// The greatest height of a row, in lines: far more than the longest post; those of 512 leaves still fit 44 bits.
  public static let maximumHeight = 1 << 26 - 1

  /// About how many bytes the index takes: what is in use, without room for more.
  public var byteCount: Int {
    words.count * 8 + leaves.count * MemoryLayout<Leaf>.stride + middles.count * 8 + tops.count * 16 + freeSlots.count
      * 4
      + tallRows.byteCount
  }

  /// An index without rows.
  public init(scale: HeightScale = .plain) { self.init(scale: scale, shape: .standard) }

  init(scale: HeightScale, shape: Shape) {
    self.scale = scale
    self.shape = shape
    lastLeaf = LastLeaf(start: -shape.rowsPerLeaf)
  }

  /// The height of a row. O(1) but for the level at the top, which has an entry for some 200,000 rows; so is all that
  /// follows.
  public func height(at row: Int) -> Int {
    let place = place(ofRow: row)
    return height(inLeaf: place.leaf, at: row - place.rows)
  }

  /// The lines of all rows before `row`, which may be ``count``.
  public func offset(ofRow row: Int) -> Int {
    if row == count { return total }
    let place = place(ofRow: row)
    return place.lines &+ lines(inLeaf: place.leaf, before: row &- place.rows)
  }

  /// The row that line `offset` belongs to and which of its lines that is; an offset outside of 0 ..< ``total`` is
  /// taken for the nearest within. `nil` if there is no line at all. Rows without height have no lines and are never
  /// found.
  public func row(atOffset offset: Int) -> (row: Int, line: Int)? {
    guard total > 0 else { return nil }
    let line = min(max(offset, 0), total &- 1)
    let place = place(of: .line(line))
    let found = row(inLeaf: place.leaf, atLine: line &- place.lines)
    return (place.rows &+ found.row, found.line)
  }

  /// Adds a row after the newest.
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

  /// Adds a row that has no byte, or needs another leaf.
  @inline(never)
  private mutating func appendRarely(_ height: Int) {
    if lastRows == shape.rowsPerLeaf { appendLeaf() } else { close() }
    let last = leaves.count - 1
    if put(height, inSlot: leaves[last].slot, at: lastRows) { leaves[last].tall += 1 }
    count += 1
    total += height
    reopen()
  }

  /// Adds a row so that it is the one at `row`, which may be ``count``. O(leaves) when a leaf has to be split, which is
  /// rare.
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

  /// Takes a row out and returns its height. O(leaves) when a leaf goes or is joined with the next, which is rare.
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

  /// Gives a row another height and returns the one it had.
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
    precondition(row >= 0 && row < count, "no such row")
    return place(of: .row(row))
  }
}
