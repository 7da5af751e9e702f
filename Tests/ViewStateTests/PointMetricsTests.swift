import Testing
import ViewState

@Suite("Point metrics declared by clients")
struct PointMetricsTests {
  @Test(
    "invalid runs are refused, with their index",
    arguments: [
      ([AdvanceRun(first: 65, advances: [])], "advances[0].advances"),
      ([AdvanceRun(first: 65, advances: [1, 2]), AdvanceRun(first: 66, advances: [1])], "advances[1].first"),
      ([AdvanceRun(first: 65, advances: [1]), AdvanceRun(first: 64, advances: [1])], "advances[1].first"),
      ([AdvanceRun(first: 0xD7FF, advances: [1, 1])], "advances[0]"),
      ([AdvanceRun(first: 0xDFFF, advances: [1])], "advances[0]"),
      ([AdvanceRun(first: 0x10FFFF, advances: [1, 1])], "advances[0]"),
      ([AdvanceRun(first: .max, advances: [1])], "advances[0]"),
      (
        [AdvanceRun(first: 0, advances: Array(repeating: 1, count: 40_000)), AdvanceRun(first: 60_000, advances: [1])],
        nil
      ),
      (
        [
          AdvanceRun(first: 0, advances: Array(repeating: 1, count: 40_000)),
          AdvanceRun(first: 100_000, advances: Array(repeating: 1, count: 25_537)),
        ], "advances"
      ),
      ((0..<4096).map { AdvanceRun(first: 2 * $0, advances: [1]) }, nil),
      ((0...4096).map { AdvanceRun(first: 2 * $0, advances: [1]) }, "advances"),
      ([AdvanceRun(first: 0xD7FF, advances: [1]), AdvanceRun(first: 0xE000, advances: [1])], nil),
      ([AdvanceRun(first: 0x10FFFF, advances: [1])], nil),
    ] as [([AdvanceRun], String?)])
  func runs(_ runs: [AdvanceRun], field: String?) {
    do throws(InvalidMetrics) {
      _ = try PointMetrics(sizes: PointSizes(lineHeight: 19), runs: runs)
      #expect(field == nil)
    } catch {
      #expect(error.field == field)
    }
  }

  @Test("numbers out of range are refused, with their name") func sizes() {
    var sizes = PointSizes(lineHeight: 19)
    sizes.regular = PointSizes.RowInsets(above: 0, below: 0, left: 0, right: 0, leastHeight: 0)
    sizes.compact = PointSizes.RowInsets(above: 0, below: 10_001, left: 0, right: 0, leastHeight: 0)
    #expect { try PointMetrics(sizes: sizes) } throws: { ($0 as? InvalidMetrics)?.field == "compact.below" }
    sizes.compact?.below = 10_000
    sizes.column = PointSizes.Column(maximumWidth: 0, inset: 0, compactBelow: 0)
    #expect { try PointMetrics(sizes: sizes) } throws: { ($0 as? InvalidMetrics)?.field == "column.maximum_width" }
  }

  @Test("equal contents are equal and share a digest; others differ in both") func equality()
    throws
  {
    let run = AdvanceRun(first: 65, advances: [640])
    let one = try PointMetrics(sizes: PointSizes(lineHeight: 19), runs: [run])
    #expect(try PointMetrics(sizes: PointSizes(lineHeight: 19), runs: [run]) == one)
    #expect(try PointMetrics(sizes: PointSizes(lineHeight: 19), runs: [run]).digest == one.digest)
    var sizes = PointSizes(lineHeight: 19)
    sizes.panes = PointSizes.Panes(menu: 200, strip: 70, pane: 477)
    var others = [
      try PointMetrics(sizes: PointSizes(lineHeight: 20), runs: [run]), try PointMetrics(sizes: sizes, runs: [run]),
    ]
    for runs in [[], [AdvanceRun(first: 66, advances: [640])], [AdvanceRun(first: 65, advances: [641])]] {
      others.append(try PointMetrics(sizes: PointSizes(lineHeight: 19), runs: runs))
    }
    for other in others { #expect(other != one && other.digest != one.digest) }
  }

  @Test("the digest is the same in every version, since views resume by it") func stable() throws {
    let points = try PointMetrics(sizes: PointSizes(lineHeight: 19), runs: [AdvanceRun(first: 65, advances: [640])])
    #expect(points.digest == 0xE456_1B29_970D_6A9D)
  }

  @Test("prepared data is kept and does not affect equality") func prepared() throws {
    let points = try PointMetrics(sizes: PointSizes(lineHeight: 19))
    let prepared = points.preparing { $0.sizes.lineHeight + 1 }
    #expect(points.prepared == nil && prepared.prepared as? Int == 20)
    #expect(prepared == points && prepared.digest == points.digest)
  }
}
