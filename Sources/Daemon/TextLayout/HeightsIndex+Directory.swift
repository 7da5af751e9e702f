extension HeightsIndex {
  /// A number of rows and their total lines, packed in one word: one addition changes both, and one comparison finds
  /// either.
  struct Extent: Sendable {
    /// Lines times 2^20, plus rows; holds the maximum of a group of 512 leaves.
    private(set) var packed: UInt64

    @inline(__always)
    init(rows: Int, lines: Int) {
      packed = UInt64(truncatingIfNeeded: lines) &<< 20 &+ UInt64(truncatingIfNeeded: rows)
    }

    @inline(__always)
    var rows: Int { Int(truncatingIfNeeded: packed & 0xF_FFFF) }
    @inline(__always)
    var lines: Int { Int(truncatingIfNeeded: packed >> 20) }

    /// Either part of `other` may be negative, but not of the sum.
    @inline(__always)
    static func += (extent: inout Extent, other: Extent) { extent.packed &+= other.packed }

    /// True if the row or line after this extent is at `position` or before it.
    @inline(__always)
    func isBefore(_ position: Position) -> Bool {
      switch position {
      case .row(let row): rows <= row
      case .line(let line): packed <= UInt64(truncatingIfNeeded: line) &<< 20 | 0xF_FFFF
      }
    }
  }

  /// A row or line to find.
  enum Position {
    case row(Int)
    case line(Int)
  }

  /// A leaf, in the order of rows.
  struct Leaf: Sendable {
    /// The extent before it in its group.
    var start: Extent
    /// Its slot in `words`.
    var slot: UInt32
    /// Its number of rows; outdated for the last leaf, whose number is ``lastRows``.
    var rows: UInt16 = 0
    /// The number of its rows in the side table.
    var tall: UInt16 = 0
  }

  /// The start of a group of groups of leaves: the totals of all rows before it. There are few of them.
  struct Top: Sendable {
    var rows: Int
    var lines: Int
  }

  /// A leaf, with the totals of all leaves before it.
  struct Place {
    var leaf: Int
    var rows: Int
    var lines: Int
  }

  /// Returns the last of some ascending entries that begins at or before the position, as the first is known to do.
  /// Counts the entries passed, in blocks and then one at a time, without a branch to predict.
  @inline(__always)
  private static func last<Entry>(
    of entries: Span<Entry>, from first: Int, to end: Int, blockBits: Int, _ isBefore: (borrowing Entry) -> Bool
  ) -> Int {
    var found = first
    var next = first &+ 1 &<< blockBits
    while next < end {
      found &+= isBefore(entries[next]) ? 1 &<< blockBits : 0
      next &+= 1 &<< blockBits
    }
    let few = min(found &+ 1 &<< blockBits, end)
    next = found &+ 1
    while next < few {
      found &+= isBefore(entries[next]) ? 1 : 0
      next &+= 1
    }
    return found
  }

  /// Returns the leaf of an existing row or line.
  @inline(__always)
  func place(of position: Position) -> Place {
    let top = Self.last(of: tops.span, from: 0, to: tops.count, blockBits: 3) {
      switch position {
      case .row(let row): $0.rows <= row
      case .line(let line): $0.lines <= line
      }
    }
    var place = Place(leaf: 0, rows: tops[top].rows, lines: tops[top].lines)
    func within() -> Position {
      switch position {
      case .row(let row): .row(row &- place.rows)
      case .line(let line): .line(line &- place.lines)
      }
    }
    let group = within()
    let firstMiddle = top &<< shape.groupBits
    let middle = Self.last(
      of: middles.span, from: firstMiddle, to: min(firstMiddle &+ 1 &<< shape.groupBits, middles.count), blockBits: 2
    ) { $0.isBefore(group) }
    place.rows &+= middles[middle].rows
    place.lines &+= middles[middle].lines
    let leaf = within()
    let firstLeaf = middle &<< shape.leafBits
    place.leaf = Self.last(
      of: leaves.span, from: firstLeaf, to: min(firstLeaf &+ 1 &<< shape.leafBits, leaves.count), blockBits: 2
    ) { $0.start.isBefore(leaf) }
    place.rows &+= leaves[place.leaf].start.rows
    place.lines &+= leaves[place.leaf].start.lines
    return place
  }

  /// The number of rows in the last leaf.
  @inline(__always)
  var lastRows: Int { count &- lastLeaf.start }

  /// Returns the number of rows in a leaf.
  @inline(__always)
  func rows(ofLeaf leaf: Int) -> Int { leaf == leaves.count &- 1 ? lastRows : Int(leaves[leaf].rows) }

  /// Adds to a leaf and to the starts of everything after it.
  @inline(__always)
  mutating func add(rows: Int, lines: Int, toLeaf leaf: Int) {
    let extent = Extent(rows: rows, lines: lines)
    count &+= rows
    total &+= lines
    if leaf < leaves.count &- 1 { lastLeaf.start &+= rows }
    let middle = leaf &>> shape.leafBits
    let top = middle &>> shape.groupBits
    let nextMiddle = (middle &+ 1) &<< shape.leafBits
    let nextTop = (top &+ 1) &<< shape.groupBits
    var changed = leaves.mutableSpan
    changed[leaf].rows = UInt16(truncatingIfNeeded: Int(changed[leaf].rows) &+ rows)
    for index in leaf &+ 1..<max(leaf &+ 1, min(nextMiddle, changed.count)) { changed[index].start += extent }
    var changedMiddles = middles.mutableSpan
    for index in middle &+ 1..<max(middle &+ 1, min(nextTop, changedMiddles.count)) {
      changedMiddles[index] += extent
    }
    var changedTops = tops.mutableSpan
    for index in top &+ 1..<max(top &+ 1, changedTops.count) {
      changedTops[index].rows &+= rows
      changedTops[index].lines &+= lines
    }
  }

  /// Appends an empty leaf.
  mutating func appendLeaf() {
    close()
    if !leaves.isEmpty { leaves[leaves.count - 1].rows = UInt16(lastRows) }
    let slot = newSlot()
    leaves.append(Leaf(start: beginning(ofLeaf: leaves.count, rows: count, lines: total), slot: slot))
    lastLeaf.start = count
    lastLeaf.word = Int(leaves[leaves.count - 1].slot) * wordsPerLeaf
    reopen()
  }

  /// Returns the extent before a leaf in its group, given the totals of all rows before the leaf; creates missing
  /// groups.
  private mutating func beginning(ofLeaf leaf: Int, rows: Int, lines: Int) -> Extent {
    let middle = leaf >> shape.leafBits
    let top = middle >> shape.groupBits
    if top == tops.count { tops.append(Top(rows: rows, lines: lines)) }
    let inTop = Extent(rows: rows - tops[top].rows, lines: lines - tops[top].lines)
    if middle == middles.count { middles.append(inTop) }
    return Extent(rows: inTop.rows - middles[middle].rows, lines: inTop.lines - middles[middle].lines)
  }

  /// Returns the totals of all leaves before a leaf.
  private func start(ofLeaf leaf: Int) -> (rows: Int, lines: Int) {
    let middle = leaf >> shape.leafBits
    let top = tops[middle >> shape.groupBits]
    return (
      top.rows + middles[middle].rows + leaves[leaf].start.rows,
      top.lines + middles[middle].lines + leaves[leaf].start.lines
    )
  }

  /// Replaces leaves by others, whose `start` has their own extent, and rebuilds the directory from there on.
  /// O(leaves).
  mutating func replaceLeaves(_ range: Range<Int>, with new: [Leaf]) {
    if !leaves.isEmpty { leaves[leaves.count - 1].rows = UInt16(lastRows) }
    // Until all have moved, `start` has the extent of a leaf instead of its position.
    var start = (rows: count, lines: total)
    for leaf in (range.lowerBound..<leaves.count).reversed() {
      let end = start
      start = self.start(ofLeaf: leaf)
      leaves[leaf].start = Extent(rows: end.rows - start.rows, lines: end.lines - start.lines)
    }
    leaves.replaceSubrange(range, with: new)
    middles.removeSubrange(min(middles.count, Self.groups(of: range.lowerBound, shape.leafBits))...)
    tops.removeSubrange(min(tops.count, Self.groups(of: middles.count, shape.groupBits))...)
    for leaf in range.lowerBound..<leaves.count {
      let held = leaves[leaf].start
      leaves[leaf].start = beginning(ofLeaf: leaf, rows: start.rows, lines: start.lines)
      start.rows += held.rows
      start.lines += held.lines
    }
    (count, total) = start
    lastLeaf.start = count - (leaves.last.map { Int($0.rows) } ?? shape.rowsPerLeaf)
    lastLeaf.word = leaves.last.map { Int($0.slot) * wordsPerLeaf } ?? 0
    reopen()
  }

  /// Returns the number of groups for a number of entries.
  private static func groups(of entries: Int, _ bits: Int) -> Int { (entries + 1 << bits - 1) >> bits }
}
