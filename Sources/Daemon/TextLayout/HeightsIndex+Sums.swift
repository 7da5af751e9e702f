extension HeightsIndex {
  /// What a leaf holds.
  struct LeafSum: Sendable {
    var rows: UInt16 = 0
    /// How many rows are in the side table.
    var tall: UInt16 = 0
    var lines: UInt32 = 0

    mutating func add(rows: Int, lines: Int) {
      self.rows = UInt16(Int(self.rows) + rows)
      self.lines = UInt32(Int(self.lines) + lines)
    }
  }

  /// What several leaves hold together.
  struct Sum: Sendable {
    var rows = 0
    var lines = 0

    mutating func add(rows: Int, lines: Int) {
      self.rows += rows
      self.lines += lines
    }
  }

  /// A row: its leaf, its number in it, and the lines of all leaves before.
  struct Place {
    var leaf: Int
    var row: Int
    var lines: Int
  }

  /// Where a row is.
  func place(ofRow row: Int) -> Place {
    precondition(row >= 0 && row < count, "no such row")
    var place = Place(leaf: 0, row: row, lines: 0)
    var top = 0
    while place.row >= tops[top].rows {
      place.row -= tops[top].rows
      place.lines += tops[top].lines
      top += 1
    }
    var middle = top << shape.fanBits
    while place.row >= middles[middle].rows {
      place.row -= middles[middle].rows
      place.lines += middles[middle].lines
      middle += 1
    }
    place.leaf = middle << shape.fanBits
    while place.row >= Int(leaves[place.leaf].rows) {
      place.row -= Int(leaves[place.leaf].rows)
      place.lines += Int(leaves[place.leaf].lines)
      place.leaf += 1
    }
    return place
  }

  /// The leaf that a line of 0 ..< ``total`` belongs to, the line within it, and the rows of all leaves before.
  func place(ofLine line: Int) -> (leaf: Int, line: Int, rows: Int) {
    var line = line
    var rows = 0
    var top = 0
    while line >= tops[top].lines {
      line -= tops[top].lines
      rows += tops[top].rows
      top += 1
    }
    var middle = top << shape.fanBits
    while line >= middles[middle].lines {
      line -= middles[middle].lines
      rows += middles[middle].rows
      middle += 1
    }
    var leaf = middle << shape.fanBits
    while line >= Int(leaves[leaf].lines) {
      line -= Int(leaves[leaf].lines)
      rows += Int(leaves[leaf].rows)
      leaf += 1
    }
    return (leaf, line, rows)
  }

  /// Adds an empty leaf behind the last.
  mutating func appendLeaf() {
    if leaves.count & ((1 << shape.fanBits) - 1) == 0 { middles.append(Sum()) }
    if leaves.count & ((1 << (2 * shape.fanBits)) - 1) == 0 { tops.append(Sum()) }
    slots.append(newSlot())
    leaves.append(LeafSum())
  }

  /// Makes the sums of the higher levels again for all leaves from `leaf` on, which have moved.
  mutating func sumAgain(from leaf: Int) {
    let firstMiddle = leaf >> shape.fanBits
    let firstTop = leaf >> (2 * shape.fanBits)
    let middleCount = (leaves.count + (1 << shape.fanBits) - 1) >> shape.fanBits
    let topCount = (leaves.count + (1 << (2 * shape.fanBits)) - 1) >> (2 * shape.fanBits)
    middles.removeLast(middles.count - min(firstMiddle, middles.count))
    tops.removeLast(tops.count - min(firstTop, tops.count))
    for middle in firstMiddle..<max(firstMiddle, middleCount) {
      var sum = Sum()
      for leaf in leaves[middle << shape.fanBits..<min((middle + 1) << shape.fanBits, leaves.count)] {
        sum.add(rows: Int(leaf.rows), lines: Int(leaf.lines))
      }
      middles.append(sum)
    }
    for top in firstTop..<max(firstTop, topCount) {
      var sum = Sum()
      for middle in middles[top << shape.fanBits..<min((top + 1) << shape.fanBits, middles.count)] {
        sum.add(rows: middle.rows, lines: middle.lines)
      }
      tops.append(sum)
    }
  }
}
