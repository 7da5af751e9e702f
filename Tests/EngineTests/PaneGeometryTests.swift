import Engine
import TestSupport
import Testing
import ViewState

struct GeometryVector: Sendable, CustomStringConvertible {
  var width: Int
  var wanted: [Int]
  var metrics: PaneMetrics
  /// Left edges for each valid position, in half steps times two.
  var lefts: [Int: [Int]]
  var description: String { "\(width): \(wanted)" }
}

@Suite("Pane geometry: resting positions and frames")
struct PaneGeometryTests {
  static let vectors = [
    GeometryVector(width: 120, wanted: [58, 58], metrics: .cells, lefts: [0: [22, 80], 1: [4, 62]]),
    GeometryVector(
      width: 120, wanted: [58, 58, 58], metrics: .cells,
      lefts: [0: [22, 80, 138], 1: [4, 62, 120], 2: [4, 62, 120], 4: [4, 4, 62]]),
    GeometryVector(width: 80, wanted: [58], metrics: .cells, lefts: [0: [22]]),
    GeometryVector(
      width: 80, wanted: [58, 58, 58], metrics: .cells,
      lefts: [0: [22, 80, 138], 1: [4, 62, 120], 2: [4, 22, 80], 3: [4, 4, 62], 4: [4, 4, 22]]),
    GeometryVector(
      width: 100, wanted: [40, 58, 30], metrics: .cells,
      lefts: [0: [22, 62, 120], 1: [4, 44, 102], 2: [4, 42, 100], 4: [4, 12, 70]]),
    GeometryVector(
      width: 1024, wanted: [477, 477, 477], metrics: .points,
      lefts: [0: [200, 677, 1154], 1: [70, 547, 1024], 2: [70, 547, 1024], 4: [70, 70, 547]]),
    GeometryVector(
      width: 768, wanted: [320, 320, 320], metrics: .points,
      lefts: [0: [200, 520, 840], 1: [70, 390, 710], 2: [128, 448, 768], 4: [70, 128, 448]]),
  ]

  @Test("frames at each position match the reference vectors", arguments: vectors)
  func ruleNine(vector: GeometryVector) {
    let geometry = PaneGeometry(width: vector.width, wanted: vector.wanted, metrics: vector.metrics)
    let missing = Set(vector.lefts.keys).subtracting(geometry.positions)
    #expect(missing == [], "positions \(geometry.positions)")
    for (position, lefts) in vector.lefts { #expect(geometry.lefts(at: position) == lefts, "position \(position)") }
  }

  @Test(
    "valid positions",
    arguments: [(120, 2, [0, 1]), (120, 3, [0, 1, 2, 4]), (80, 1, [0]), (80, 3, [0, 1, 2, 3, 4])])
  func positions(width: Int, panes: Int, expected: [Int]) {
    let geometry = PaneGeometry(width: width, wanted: Array(repeating: 58, count: panes))
    // 120 cells, three panes: 1.5 is valid only if two panes do not fit beside the strip, and here they just do.
    #expect(geometry.positions == expected)
  }

  @Test(
    "after a push the new pane is whole and at the right, for any widths", arguments: seeds(0..<200 as Range<UInt64>))
  func push(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let width = Int.random(in: 30...300, using: &random)
    let wanted = (0..<Int.random(in: 1...6, using: &random)).map { _ in Int.random(in: 10...120, using: &random) }
    let geometry = PaneGeometry(width: width, wanted: wanted)
    let position = geometry.positionAfterPush
    let left = geometry.lefts(at: position).last!
    if position > 0 || geometry.widths.last! <= width - 22 {
      #expect(left + geometry.widths.last! <= width, "seed \(seed)")
    }
    #expect(geometry.visible(at: position).last == true, "seed \(seed)")
    #expect(geometry.positions == geometry.positions.sorted(), "seed \(seed)")
  }
}
