import TextLayout
import Testing

/// A pane with its expected column.
struct ColumnVector: Sendable, CustomStringConvertible {
  var metrics: RowMetrics
  var pane: Int
  var compact: Bool?
  var fills = false
  /// Left edge and width of the column, left edge and width of the text, and whether rows are plain.
  var expected: (x: Int, width: Int, textX: Int, textWidth: Int, isCompact: Bool)

  var description: String { "\(pane)\(compact.map { ", compact \($0)" } ?? "")\(fills ? ", fills the view" : "")" }
}

@Suite("Text widths and row heights")
struct RowMetricsTests {
  static let points = RowMetrics.points(lineHeight: 19)

  @Test(
    "cells: text is the column less 8, in a compact pane less 1; the column is centred and at most 80",
    arguments: [
      ColumnVector(metrics: .cells, pane: 58, expected: (0, 58, 6, 50, false)),
      ColumnVector(metrics: .cells, pane: 40, expected: (0, 40, 6, 32, false)),
      ColumnVector(metrics: .cells, pane: 39, expected: (0, 39, 0, 38, true)),
      ColumnVector(metrics: .cells, pane: 80, expected: (0, 80, 6, 72, false)),
      ColumnVector(metrics: .cells, pane: 100, expected: (10, 80, 16, 72, false)),
      ColumnVector(metrics: .cells, pane: 101, expected: (10, 80, 16, 72, false)),
      ColumnVector(metrics: .cells, pane: 80, fills: true, expected: (0, 80, 6, 72, false)),
      ColumnVector(metrics: .cells, pane: 80, compact: true, expected: (0, 80, 0, 79, true)),
      ColumnVector(metrics: .cells, pane: 200, compact: true, expected: (0, 200, 0, 199, true)),
      ColumnVector(metrics: .cells, pane: 2, expected: (0, 2, 0, 1, true)),
      ColumnVector(metrics: .cells, pane: 1, expected: (0, 1, 0, 1, true)),
      ColumnVector(metrics: .cells, pane: 8, compact: false, expected: (0, 8, 6, 1, false)),
    ])
  func cells(vector: ColumnVector) { check(vector) }

  @Test(
    "points: text is the column less 87; the column is centred, at most 675, and 18 from the screen's edges",
    arguments: [
      ColumnVector(metrics: points, pane: 477, expected: (0, 477, 72, 390, false)),
      ColumnVector(metrics: points, pane: 320, expected: (0, 320, 72, 233, false)),
      ColumnVector(metrics: points, pane: 319, expected: (0, 319, 72, 232, true)),
      ColumnVector(metrics: points, pane: 675, expected: (0, 675, 72, 588, false)),
      ColumnVector(metrics: points, pane: 768, expected: (46, 675, 118, 588, false)),
      ColumnVector(metrics: points, pane: 700, fills: true, expected: (18, 664, 90, 577, false)),
      ColumnVector(metrics: points, pane: 768, fills: true, expected: (46, 675, 118, 588, false)),
      ColumnVector(metrics: points, pane: 320, compact: true, fills: true, expected: (0, 320, 72, 233, true)),
      ColumnVector(metrics: points, pane: 20, compact: false, fills: true, expected: (9, 1, 81, 1, false)),
    ])
  func inPoints(vector: ColumnVector) { check(vector) }

  private func check(_ vector: ColumnVector) {
    let column = vector.metrics.column(paneWidth: vector.pane, isCompact: vector.compact, fillsView: vector.fills)
    let (x, width, textX, textWidth, isCompact) = vector.expected
    #expect(column == RowColumn(x: x, width: width, textX: textX, textWidth: textWidth, isCompact: isCompact))
  }

  @Test(
    "cells: author, text, separator, and a line each for the reposter and for facts", arguments: [1, 2, 7])
  func heightsInCells(lines: Int) {
    for isCompact in [false, true] {
      func height(isRepost: Bool, hasFacts: Bool) -> Int {
        RowMetrics.cells.height(lines: lines, isRepost: isRepost, hasFacts: hasFacts, isCompact: isCompact)
      }
      #expect(height(isRepost: false, hasFacts: false) == lines + 2)
      #expect(height(isRepost: false, hasFacts: true) == lines + 3)
      #expect(height(isRepost: true, hasFacts: false) == lines + 3)
      #expect(height(isRepost: true, hasFacts: true) == lines + 4)
    }
  }

  @Test(
    "points: 12 + 18 + 5 + text + 12, at least the avatar with 12 above and below, and one more line for a repost",
    arguments: [(1, 72), (2, 85), (3, 104), (7, 180)])
  func heightsInPoints(lines: Int, height: Int) {
    for isCompact in [false, true] {
      for hasFacts in [false, true] {
        #expect(
          Self.points.height(lines: lines, isRepost: false, hasFacts: hasFacts, isCompact: isCompact) == height)
        #expect(
          Self.points.height(lines: lines, isRepost: true, hasFacts: hasFacts, isCompact: isCompact) == height + 19)
      }
    }
  }

  @Test("plain rows have their own insets") func compact() {
    var metrics = Self.points
    metrics.compact = RowMetrics.Insets(above: 20, below: 5, left: 10, right: 10, leastHeight: 0)
    #expect(metrics.column(paneWidth: 300).textWidth == 280)
    #expect(metrics.height(lines: 1, isRepost: false, hasFacts: true, isCompact: true) == 44)
    #expect(metrics.height(lines: 1, isRepost: false, hasFacts: true, isCompact: false) == 72)
  }

  @Test("with the highest date line above it, a row never exceeds the maximum height of the index") func limit() {
    let huge = RowMetrics.points(lineHeight: 1000)
    #expect(
      huge.height(lines: 200_000, isRepost: true, hasFacts: true, isCompact: false) + 10_000
        == HeightsIndex.maximumHeight)
  }
}
