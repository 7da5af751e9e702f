@testable import TextLayout
import TestSupport
import Testing

@Suite("The heights index behaves like an array")
struct HeightsIndexTests {
  /// The smallest shape, two medium ones and the real one.
  static let shapes = [
    HeightsIndex.Shape(rowsPerLeaf: 2, leafBits: 1, groupBits: 1),
    HeightsIndex.Shape(rowsPerLeaf: 5, leafBits: 2, groupBits: 1),
    HeightsIndex.Shape(rowsPerLeaf: 17, leafBits: 3, groupBits: 2), .standard,
  ]

  /// Scales for lines and for points of a proportional font, where many heights have no byte, and two with hardly any
  /// byte that fits.
  static let scales: [HeightScale] = [
    .plain, HeightScale(base: 72, step: 1), HeightScale(base: 3, step: 7), HeightScale(base: 5000, step: 1),
  ]

  @Test(
    "after random operations, rows, offsets and lines match an array", arguments: shapes,
    seeds(0..<4 as Range<UInt64>))
  func model(shape: HeightsIndex.Shape, seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let scale = Self.scales[Int(seed) % Self.scales.count]
    var model = (0..<Int.random(in: 0...40, using: &random)).map { _ in height(&random) }
    var index = HeightsIndex(count: model.count, scale: scale, shape: shape) { model[$0] }
    for round in 0..<400 {
      // Mostly grows, then mostly shrinks, so that leaves are split and merged.
      let growing = round % 200 < 120
      switch Int.random(in: 0..<12, using: &random) {
      case 10: replace(&index, &model, &random)
      case 11 where growing: insertSome(&index, &model, &random)
      case 0..<2: change(&index, &model, &random)
      case 2..<4: append(&index, &model, &random)
      case 4..<8 where growing: insert(&index, &model, &random)
      default: remove(&index, &model, &random)
      }
      check(index, model, everything: round % 40 == 0, &random, "seed \(seed), \(shape), round \(round)")
    }
  }

  @Test("leaves of the real size are split, and merged when most rows are removed", arguments: [5] as [UInt64])
  func manyRows(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var model = (0..<6000).map { _ in height(&random) }
    var index = HeightsIndex(count: model.count) { [model] in model[$0] }
    check(index, model, everything: true, &random, "built")
    for _ in 0..<1500 { insert(&index, &model, &random) }
    check(index, model, everything: true, &random, "inserted")
    let leaves = index.leaves.count
    while model.count > 500 { remove(&index, &model, &random) }
    check(index, model, everything: true, &random, "removed")
    #expect(index.leaves.count < leaves / 5, "nearly empty leaves are merged")
  }

  @Test(
    "an index of one repeated height equals one built row by row",
    arguments: triesAllSeeds ? [0, 1, 2, 3, 6, 7, 900] : [0, 1, 7],
    [0, 7, 256])
  func repeating(count: Int, height: Int) {
    var random = SeededGenerator(seed: 1)
    for shape in Self.shapes {
      var index = HeightsIndex(repeating: height, count: count, scale: .plain, shape: shape)
      var model = Array(repeating: height, count: count)
      check(index, model, everything: true, &random, "\(count) of \(height), \(shape)")
      for _ in 0..<20 {
        insert(&index, &model, &random)
        remove(&index, &model, &random)
      }
      check(index, model, everything: true, &random, "\(count) of \(height), \(shape), changed")
    }
  }

  @Test("a copy is unchanged when the original changes")
  func copies() {
    var random = SeededGenerator(seed: 3)
    var index = HeightsIndex(repeating: 5, count: 1000)
    let copy = index
    for row in 0..<300 {
      index.change(at: row, to: 300)
      index.append(7)
      index.remove(at: 900)
    }
    check(copy, Array(repeating: 5, count: 1000), everything: true, &random, "the copy")
    // Rows that are not in the leaves' memory yet are copied too.
    var one = HeightsIndex()
    for height in 1...11 { one.append(height) }
    var other = one
    one.append(70)
    other.append(80)
    other.change(at: 9, to: 300)
    check(one, Array(1...11) + [70], everything: true, &random, "one")
    check(other, [1, 2, 3, 4, 5, 6, 7, 8, 9, 300, 11, 80], everything: true, &random, "the other")
  }

  @Test("a scale has bytes for the heights of a proportional font, and falls back for excessive heights")
  func scales() {
    for line in [1, 2, 9, 18, 21, 25, 26, 60, 401, 1000] {
      let metrics = RowMetrics.points(lineHeight: line)
      let scale = metrics.heightScale(isCompact: false)
      for lines in 1...10 {
        for isRepost in [false, true] {
          let height = metrics.height(lines: lines, isRepost: isRepost, hasFacts: false, isCompact: false)
          #expect(scale.byte(for: height) != nil && scale.nearest(to: height) == height, "\(lines) lines of \(line)")
        }
      }
    }
    #expect(RowMetrics.cells.heightScale(isCompact: true) == HeightScale(base: 3, step: 1))
    #expect(
      HeightScale(base: 40, step: 10).nearest(to: 0) == 40
        && HeightScale(base: 40, step: 10).nearest(to: 1 << 30) == 2580)
    #expect(
      HeightScale(base: 40, step: 10).nearest(to: 74) == 70 && HeightScale(base: 40, step: 10).nearest(to: 75) == 80)
    #expect(HeightScale(least: 0, fixed: 0, line: 0, extra: 0) == .plain)
    #expect(HeightScale(least: 0, fixed: 0, line: 1 << 24, extra: 0) == .plain)
  }

  @Test("an index without lines has no row at any offset, and offsets outside are clamped")
  func edges() throws {
    var index = HeightsIndex()
    #expect(index.row(atOffset: 0) == nil && index.offset(ofRow: 0) == 0 && index.total == 0)
    index.append(0)
    #expect(index.row(atOffset: 0) == nil && index.count == 1)
    index.append(3)
    index.append(0)
    index.append(1000)
    #expect(try #require(index.row(atOffset: -5)) == (1, 0))
    #expect(try #require(index.row(atOffset: 3)) == (3, 0))
    #expect(try #require(index.row(atOffset: 5000)) == (3, 999))
    #expect(index.height(at: 3) == 1000)
  }

  private func height(_ random: inout SeededGenerator) -> Int {
    switch Int.random(in: 0..<20, using: &random) {
    case 0: 0
    case 1: [254, 255, 256, 257, 4000].randomElement(using: &random)!
    default: Int.random(in: 3...16, using: &random)
    }
  }

  private func append(_ index: inout HeightsIndex, _ model: inout [Int], _ random: inout SeededGenerator) {
    let height = height(&random)
    model.append(height)
    index.append(height)
  }

  private func insert(_ index: inout HeightsIndex, _ model: inout [Int], _ random: inout SeededGenerator) {
    let height = height(&random)
    let row = Int.random(in: 0...model.count, using: &random)
    model.insert(height, at: row)
    index.insert(height, at: row)
  }

  private func insertSome(_ index: inout HeightsIndex, _ model: inout [Int], _ random: inout SeededGenerator) {
    let heights = (0..<Int.random(in: 0...20, using: &random)).map { _ in height(&random) }
    let row = [0, model.count, Int.random(in: 0...model.count, using: &random)].randomElement(using: &random)!
    model.insert(contentsOf: heights, at: row)
    index.insert(contentsOf: heights.span, at: row)
  }

  private func replace(_ index: inout HeightsIndex, _ model: inout [Int], _ random: inout SeededGenerator) {
    let row = Int.random(in: 0...model.count, using: &random)
    let heights = (0..<Int.random(in: 0...min(20, model.count - row), using: &random)).map { _ in height(&random) }
    model.replaceSubrange(row..<row + heights.count, with: heights)
    index.replace(from: row, with: heights.span)
  }

  private func remove(_ index: inout HeightsIndex, _ model: inout [Int], _ random: inout SeededGenerator) {
    guard let row = model.indices.randomElement(using: &random) else { return }
    #expect(index.remove(at: row) == model.remove(at: row))
  }

  private func change(_ index: inout HeightsIndex, _ model: inout [Int], _ random: inout SeededGenerator) {
    guard let row = model.indices.randomElement(using: &random) else { return }
    let height = height(&random)
    #expect(index.change(at: row, to: height) == model[row])
    model[row] = height
  }

  private func check(
    _ index: HeightsIndex, _ model: [Int], everything: Bool, _ random: inout SeededGenerator,
    _ context: @autoclosure () -> String
  ) {
    #expect(index.count == model.count, "\(context())")
    #expect(index.total == model.reduce(0, +), "\(context())")
    let rows =
      everything ? Array(model.indices) : (0..<3).compactMap { _ in model.indices.randomElement(using: &random) }
    var offset = 0
    var next = 0
    for row in rows.sorted() {
      while next < row {
        offset += model[next]
        next += 1
      }
      guard index.height(at: row) == model[row], index.offset(ofRow: row) == offset else {
        Issue.record("row \(row): \(context())")
        return
      }
      for line in Set([0, model[row] - 1]) where line >= 0 && line < model[row] {
        guard let found = index.row(atOffset: offset + line), found == (row, line) else {
          Issue.record("line \(line) of row \(row): \(context())")
          return
        }
      }
    }
  }
}
