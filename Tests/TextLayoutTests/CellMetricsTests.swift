import TextLayout
import Testing

@Suite("Text width and row height follow from the pane (rules 18 and 20)")
struct CellMetricsTests {
  @Test(
    "text is the column less 8, in a compact pane less 1",
    arguments: [
      (58, nil, 50, 0, false), (40, nil, 32, 0, false), (39, nil, 38, 0, true), (80, nil, 72, 0, false), (100, nil, 72, 10, false),
      (101, nil, 72, 10, false), (80, true, 79, 0, true), (200, true, 199, 0, true), (2, nil, 1, 0, true), (1, nil, 1, 0, true),
      (8, false, 1, 0, false),
    ] as [(Int, Bool?, Int, Int, Bool)])
  func widths(pane: Int, compact: Bool?, text: Int, inset: Int, isCompact: Bool) {
    let metrics = CellMetrics(paneWidth: pane, isCompact: compact)
    #expect(metrics.textWidth == text)
    #expect(metrics.columnInset == inset)
    #expect(metrics.isCompact == isCompact)
  }

  @Test("author, text, counts, separator; one line more if and only if the post is a repost", arguments: [1, 2, 7])
  func heights(lines: Int) {
    for metrics in [CellMetrics(paneWidth: 58), CellMetrics(paneWidth: 30), CellMetrics(paneWidth: 80, isCompact: true)] {
      #expect(metrics.height(lines: lines, isRepost: false) == lines + 3)
      #expect(metrics.height(lines: lines, isRepost: true) == lines + 4)
    }
  }
}
