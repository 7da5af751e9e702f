import Engine
import TestSupport
import Testing
import ViewState

/// A stack in a view, and the expected end of a move.
struct SlideVector: Sendable, CustomStringConvertible {
  var width: Int
  var wanted: [Int]
  /// Positions of slides to the left from 0 on, to the last; slides to the right visit others only where listed.
  var left: [Int]
  var right: [Int]?
  var description: String { "\(width): \(wanted)" }
}

struct DragVector: Sendable, CustomStringConvertible {
  var from: Int
  var pane: Int
  var x: Int
  var direction: SlideDirection?
  var end: Int
  var description: String { "at \(from), pane \(pane) to \(x), \(direction.map { "\($0)" } ?? "still")" }
}

@Suite("Pane geometry: moves")
struct PaneMovesTests {
  @Test(
    "slides go to the next position with different frames, and nowhere at an end",
    arguments: [
      SlideVector(width: 120, wanted: [58, 58], left: [0, 1]),
      // At 0.5 and 1 the frames are the same: a slide to the left goes to the first of them, one to the right to the
      // second.
      SlideVector(width: 120, wanted: [58, 58, 58], left: [0, 1, 4], right: [4, 2, 0]),
      SlideVector(width: 80, wanted: [58], left: [0]),
      SlideVector(width: 80, wanted: [58, 58, 58], left: [0, 1, 2, 3, 4]),
      SlideVector(width: 100, wanted: [40, 58, 30], left: [0, 1, 2, 4]),
      SlideVector(width: 80, wanted: [0, 0, 0], left: [0, 1, 2, 3, 4]),
      SlideVector(width: 200, wanted: [58, 58], left: [0]),
    ])
  func slides(vector: SlideVector) {
    let geometry = PaneGeometry(width: vector.width, wanted: vector.wanted)
    func walk(_ direction: SlideDirection, from first: Int) -> [Int] {
      var walked = [first]
      while let next = geometry.slide(direction, from: walked.last!) { walked.append(next) }
      return walked
    }
    #expect(walk(.left, from: 0) == vector.left)
    #expect(walk(.right, from: geometry.positionAfterPush) == vector.right ?? vector.left.reversed())
  }

  @Test(
    "a drag ends at the position nearest to the release point; ties follow its direction",
    arguments: [
      // 80 cells, three panes of 58. Pane 1 lies at 80, 62, 22, 4, 4 at the positions 0, 0.5, 1, 1.5, 2.
      DragVector(from: 2, pane: 1, x: 22, direction: .left, end: 2),
      DragVector(from: 2, pane: 1, x: 14, direction: .left, end: 2),
      DragVector(from: 2, pane: 1, x: 13, direction: .left, end: 3),
      DragVector(from: 2, pane: 1, x: 13, direction: .right, end: 2),
      DragVector(from: 2, pane: 1, x: 13, direction: nil, end: 2),
      DragVector(from: 2, pane: 1, x: 12, direction: .right, end: 3),
      DragVector(from: 2, pane: 1, x: -40, direction: .left, end: 3),
      DragVector(from: 2, pane: 1, x: 42, direction: .left, end: 2),
      DragVector(from: 2, pane: 1, x: 42, direction: .right, end: 1),
      DragVector(from: 2, pane: 1, x: 71, direction: .right, end: 0),
      DragVector(from: 2, pane: 1, x: 71, direction: .left, end: 1),
      DragVector(from: 2, pane: 1, x: 500, direction: .right, end: 0),
      // The pane is at the strip and can go no further: the drag goes on with the panes that can.
      DragVector(from: 1, pane: 0, x: 4, direction: .left, end: 2),
      DragVector(from: 1, pane: 0, x: 4, direction: .right, end: 1),
      DragVector(from: 3, pane: 1, x: 0, direction: .left, end: 4),
      DragVector(from: 4, pane: 2, x: 0, direction: .left, end: 4),
    ])
  func drags(vector: DragVector) {
    let geometry = PaneGeometry(width: 80, wanted: [58, 58, 58])
    #expect(
      geometry.dragEnd(pane: vector.pane, x: vector.x, direction: vector.direction, from: vector.from) == vector.end)
  }

  @Test("choosing a covered pane goes to the smallest position that shows it whole")
  func reveal() {
    let geometry = PaneGeometry(width: 80, wanted: [58, 58, 58])
    #expect((0..<3).map { geometry.reveal($0, from: 4) } == [0, 2, 4])
    #expect(geometry.reveal(0, from: 1) == 1, "it is already whole there")
    #expect(geometry.reveal(1, from: 0) == 2)
    let wide = PaneGeometry(width: 120, wanted: [58, 58, 58])
    #expect(
      wide.reveal(1, from: 4) == 4 && wide.reveal(0, from: 4) == 0,
      "at 4 panes 0 and 1 lie at the strip, and 2 beside them")
    #expect([0, 1, 4].map { wide.visible(at: $0).count { !$0 } } == [1, 1, 1])
  }

  @Test("in line mode every pane is as wide as the view")
  func lineMode() {
    let geometry = PaneGeometry(EngineHarness.layout(width: 70), wanted: [0, 40, 500])
    #expect(geometry.widths == [70, 70, 70])
    #expect(geometry.visible(at: geometry.positionAfterPush) == [false, false, true])
  }

  // MARK: Laws

  /// Returns a random stack in a random view that is wider than the strip.
  private func random(_ random: inout SeededGenerator) -> (geometry: PaneGeometry, wanted: [Int], metrics: PaneMetrics)
  {
    let strip = Int.random(in: 0...80, using: &random)
    let metrics = PaneMetrics(
      menu: strip + .random(in: 0...200, using: &random), strip: strip, pane: .random(in: 1...500, using: &random))
    let width = strip + .random(in: 1...1500, using: &random)
    let wanted = (0..<Int.random(in: 1...9, using: &random)).map { _ in
      Bool.random(using: &random) ? 0 : Int.random(in: 1...900, using: &random)
    }
    return (PaneGeometry(width: width, wanted: wanted, metrics: metrics), wanted, metrics)
  }

  /// Reference implementation of docs/BEHAVIOUR.md, rules 7 to 9, in half steps: valid positions and left edges.
  private func plain(_ width: Int, _ wanted: [Int], _ metrics: PaneMetrics) -> [Double: [Int]] {
    let widths = wanted.map { min($0 == 0 ? metrics.pane : $0, width - metrics.strip) }
    let total = widths.reduce(0, +)
    var frames: [Double: [Int]] = [:]
    for half in 0...2 * widths.count {
      let p = Double(half) / 2
      let n = half / 2
      let isWhole = p == Double(n)
      let isValid: Bool
      if p == 0 {
        isValid = true
      } else if p == 0.5 {
        isValid = total > width - metrics.menu
      } else if isWhole {
        isValid = n < widths.count && total > width - metrics.strip
      } else {
        isValid =
          n + 1 < widths.count && total > width - metrics.strip && widths[n] + widths[n + 1] > width - metrics.strip
      }
      guard isValid else { continue }
      let inset = p >= 0.5 ? metrics.strip : metrics.menu
      var x = [Int](repeating: 0, count: widths.count)
      x[n] = isWhole && p >= 1 ? width - widths[n] : inset
      var k = n + 1
      while k < widths.count {
        x[k] = x[k - 1] + widths[k - 1]
        k += 1
      }
      k = n - 1
      while k >= 0 {
        x[k] = max(x[k + 1] - widths[k], inset)
        k -= 1
      }
      frames[p] = x
    }
    return frames
  }

  @Test("positions and frames follow the documented rules, for any widths", arguments: seeds(0..<500 as Range<UInt64>))
  func rules(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let (geometry, wanted, metrics) = random(&generator)
    let expected = plain(geometry.width, wanted, metrics)
    #expect(geometry.positions.map { Double($0) / 2 } == expected.keys.sorted(), "seed \(seed)")
    for position in geometry.positions {
      #expect(geometry.lefts(at: position) == expected[Double(position) / 2], "seed \(seed), position \(position)")
    }
  }

  @Test("visible panes are those painted last, column by column", arguments: seeds(0..<200 as Range<UInt64>))
  func painted(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let (geometry, wanted, _) = random(&generator)
    for position in geometry.positions {
      let lefts = geometry.lefts(at: position)
      let columns = (0..<geometry.width).map { column in
        wanted.indices.last { lefts[$0] <= column && column < lefts[$0] + geometry.widths[$0] }
      }
      let seen = wanted.indices.map { columns.contains($0) }
      #expect(geometry.visible(at: position) == seen, "seed \(seed), position \(position)")
      for pane in wanted.indices {
        let isWhole = columns.count { $0 == pane } == geometry.widths[pane]
        #expect(geometry.isWhole(pane, at: position) == isWhole, "seed \(seed), position \(position), pane \(pane)")
      }
    }
  }

  @Test("every pane can be shown whole, and slides pass every one", arguments: seeds(0..<300 as Range<UInt64>))
  func reachable(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let (geometry, wanted, _) = random(&generator)
    let positions = geometry.positions
    for pane in wanted.indices {
      for from in positions {
        let end = geometry.reveal(pane, from: from)
        #expect(
          end.map { positions.contains($0) && geometry.isWhole(pane, at: $0) } == true, "seed \(seed), pane \(pane)")
        #expect(end == from || !positions.contains { $0 < end! && geometry.isWhole(pane, at: $0) }, "seed \(seed)")
      }
      var position: Int? = 0
      var wasWhole = false
      while let here = position {
        wasWhole = wasWhole || geometry.isWhole(pane, at: here)
        position = geometry.slide(.left, from: here)
      }
      #expect(wasWhole, "seed \(seed), pane \(pane)")
    }
    #expect(geometry.isWhole(wanted.count - 1, at: geometry.positionAfterPush), "seed \(seed): after a push")
  }

  @Test(
    "a drag ends at the nearest valid position, and the opposite slide undoes a slide",
    arguments: seeds(0..<300 as Range<UInt64>))
  func drags(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let (geometry, _, _) = random(&generator)
    let positions = geometry.positions
    for from in positions {
      let x = Int.random(in: -300...geometry.width + 300, using: &generator)
      for direction in [SlideDirection.left, .right, nil] {
        let end = geometry.dragEnd(pane: from / 2, x: x, direction: direction, from: from)
        let distances = positions.map { abs(geometry.lefts(at: $0)[from / 2] - x) }
        #expect(positions.contains(end), "seed \(seed)")
        #expect(abs(geometry.lefts(at: end)[from / 2] - x) == distances.min(), "seed \(seed)")
      }
      for direction in SlideDirection.allCases {
        guard let end = geometry.slide(direction, from: from) else { continue }
        let back = geometry.slide(direction == .left ? .right : .left, from: end)
        #expect(back.map { geometry.lefts(at: $0) } == geometry.lefts(at: from), "seed \(seed)")
      }
    }
  }

  @Test(
    "after a resize the position is the greatest valid one not above the old",
    arguments: seeds(0..<200 as Range<UInt64>))
  func resizes(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let (first, wanted, metrics) = random(&generator)
    var position = first.positions.randomElement(using: &generator)!
    for _ in 0..<20 {
      let width = metrics.strip + .random(in: 1...1500, using: &generator)
      let geometry = PaneGeometry(width: width, wanted: wanted, metrics: metrics)
      let next = geometry.position(notAbove: position)
      #expect(geometry.positions.filter { $0 <= position }.max() == next, "seed \(seed)")
      #expect(
        geometry.widths == wanted.map { min($0 == 0 ? metrics.pane : $0, width - metrics.strip) }, "wanted widths stay")
      position = next
    }
  }
}
