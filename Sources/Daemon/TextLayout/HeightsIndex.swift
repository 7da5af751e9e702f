/// The heights of a pane's rows, for the question at which line a row begins and the one back, among millions of rows.
///
/// Rows are counted from the oldest, so that a new post at the top of a timeline is an append; whoever counts lines from the top
/// takes them from ``total``. A height is one byte in a leaf of up to 512 rows; what a height has beyond 255 is in a side table.
/// Above the leaves are three levels of sums, of one leaf, of 32 and of 1024: every operation adds along one of each and looks
/// through few entries of each. About 1.0 bytes a row after appends, 1.4 made from a sequence or after inserts at
/// random.
public struct HeightsIndex: Sendable {
  /// How many rows a leaf and how many entries a higher sum has at most. Tests take the smallest, so that few rows reach deep.
  struct Shape: Hashable, Sendable {
    /// 2 to 512: more would not add up in 16 bits.
    var rowsPerLeaf: Int
    /// Two to this are the leaves of a sum of the middle level, and those sums one of the highest.
    var fanBits: Int

    static let standard = Shape(rowsPerLeaf: 512, fanBits: 5)
  }

  let shape: Shape
  /// The leaves' heights, eight a word, one slot of `rowsPerLeaf` after the other, in no order.
  var words: [UInt64] = []
  /// The leaves in the order of their rows: their slots.
  var slots: [UInt32] = []
  /// Slots of leaves that are no more.
  var freeSlots: [UInt32] = []
  /// What the leaves hold, in the order of their rows; of 32 leaves; of 1024.
  var leaves: [LeafSum] = []
  var middles: [Sum] = []
  var tops: [Sum] = []
  /// By slot, the rows that are taller than a byte says.
  var tallRows: [UInt32: [TallRow]] = [:]

  /// The number of rows.
  public private(set) var count = 0
  /// The sum of all heights, in lines.
  public private(set) var total = 0

  /// The greatest height of a row, in lines: far more than the longest post, and 512 of them still fit 32 bits.
  public static let maximumHeight = 1 << 22

  /// An index without rows.
  public init() { self.init(shape: .standard) }

  init(shape: Shape) {
    self.shape = shape
  }

  /// An index of `count` rows with room for inserts between them; `height` is asked once for each, the oldest first. O(n).
  public init(count: Int, height: (_ row: Int) -> Int) { self.init(count: count, shape: .standard, height: height) }

  init(count: Int, shape: Shape, height: (_ row: Int) -> Int) {
    self.init(shape: shape)
    let rowsPerLeaf = max(1, shape.rowsPerLeaf * 3 / 4)
    for first in stride(from: 0, to: count, by: rowsPerLeaf) {
      let heights = (first..<min(first + rowsPerLeaf, count)).map { height($0) }
      slots.append(newSlot())
      leaves.append(LeafSum())
      fill(leaves.count - 1, with: heights)
      self.count += heights.count
      total += heights.reduce(0, +)
    }
    sumAgain(from: 0)
  }

  /// An index of `count` rows that are all `height` high, with room for inserts between them: far faster than asking for each. O(n).
  public init(repeating height: Int, count: Int) { self.init(repeating: height, count: count, shape: .standard) }

  init(repeating height: Int, count: Int, shape: Shape) { self.init(count: count, shape: shape) { _ in height } }

  /// The height of a row. O(1) but for the sums looked through.
  public func height(at row: Int) -> Int {
    let place = place(ofRow: row)
    return height(inLeaf: place.leaf, at: place.row)
  }

  /// The lines of all rows before `row`, which may be ``count``.
  public func offset(ofRow row: Int) -> Int {
    precondition(row >= 0 && row <= count, "no such row")
    guard row < count else { return total }
    let place = place(ofRow: row)
    return place.lines + lines(inLeaf: place.leaf, before: place.row)
  }

  /// The row that line `offset` belongs to and which of its lines that is; an offset outside of 0 ..< ``total`` is taken for the
  /// nearest within. `nil` if there is no line at all. Rows without height have no lines and are never found.
  public func row(atOffset offset: Int) -> (row: Int, line: Int)? {
    guard total > 0 else { return nil }
    let place = place(ofLine: min(max(offset, 0), total - 1))
    let found = row(inLeaf: place.leaf, atLine: place.line)
    return (place.rows + found.row, found.line)
  }

  /// Adds a row after the newest. Amortised O(1).
  public mutating func append(_ height: Int) {
    if leaves.isEmpty || leaves[leaves.count - 1].rows == shape.rowsPerLeaf { appendLeaf() }
    let leaf = leaves.count - 1
    put(height, inLeaf: leaf, at: Int(leaves[leaf].rows))
    add(rows: 1, lines: height, toLeaf: leaf)
  }

  /// Adds a row so that it is the one at `row`, which may be ``count``. O(√n) when a leaf has to be split, which is rare.
  public mutating func insert(_ height: Int, at row: Int) {
    precondition(row >= 0 && row <= count, "no such row")
    guard row < count else { return append(height) }
    var place = place(ofRow: row)
    if leaves[place.leaf].rows == shape.rowsPerLeaf {
      split(place.leaf)
      let kept = Int(leaves[place.leaf].rows)
      if place.row > kept { place = Place(leaf: place.leaf + 1, row: place.row - kept, lines: 0) }
    }
    insert(height, inLeaf: place.leaf, at: place.row)
    add(rows: 1, lines: height, toLeaf: place.leaf)
  }

  /// Takes a row out and returns its height. O(√n) when a leaf goes or is joined with the next, which is rare.
  @discardableResult
  public mutating func remove(at row: Int) -> Int {
    let place = place(ofRow: row)
    let height = remove(fromLeaf: place.leaf, at: place.row)
    add(rows: -1, lines: -height, toLeaf: place.leaf)
    tidy(place.leaf)
    return height
  }

  /// Gives a row another height and returns the one it had.
  @discardableResult
  public mutating func change(at row: Int, to height: Int) -> Int {
    let place = place(ofRow: row)
    let old = replace(inLeaf: place.leaf, at: place.row, with: height)
    add(rows: 0, lines: height - old, toLeaf: place.leaf)
    return old
  }

  /// Gives the rows from `row` on the heights of `heights`: for slices of a few hundred rows. O(rows + leaves touched).
  public mutating func replace(from row: Int, with heights: Span<Int>) {
    precondition(row >= 0 && row + heights.count <= count, "no such rows")
    for index in heights.indices { change(at: row + index, to: heights[index]) }
  }

  /// Adds rows so that the first of them is the one at `row`, which may be ``count``.
  public mutating func insert(contentsOf heights: Span<Int>, at row: Int) {
    precondition(row >= 0 && row <= count, "no such row")
    for index in heights.indices { insert(heights[index], at: row + index) }
  }

  /// Adds to the sums along a leaf.
  private mutating func add(rows: Int, lines: Int, toLeaf leaf: Int) {
    leaves[leaf].add(rows: rows, lines: lines)
    middles[leaf >> shape.fanBits].add(rows: rows, lines: lines)
    tops[leaf >> (2 * shape.fanBits)].add(rows: rows, lines: lines)
    count += rows
    total += lines
  }
}
