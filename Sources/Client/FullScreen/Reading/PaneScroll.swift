public import ViewState

/// Where a client is in a pane: lines of the rows that it holds, counted from the first of them.
public struct PaneScroll: Sendable {
  /// Lines of all rows held, with those of days.
  public let height: Int
  /// The first line of each row held, ascending.
  public let tops: [Int]
  private let rows: [PlacedRow]

  /// Counts the rows of a pane. O(rows held).
  public init(_ pane: Pane) {
    rows = pane.rows
    var top = 0
    tops = pane.rows.map { row in
      defer { top += row.height }
      return top
    }
    height = top
  }

  /// The anchor that counts in a pane: the client's own where its row is held, then the daemon's, then the first row.
  public static func anchor(of pane: Pane, known: RowAnchor?) -> RowAnchor {
    if let known, known.rowID == 0 || pane.rows.contains(where: { $0.rowID == known.rowID }) { return known }
    return RowAnchor(rowID: pane.status.anchorRow, line: pane.status.anchorLine)
  }

  /// The line of an anchor; the first one held where it is in no row held.
  public func line(of anchor: RowAnchor) -> Int {
    guard let index = rows.firstIndex(where: { $0.rowID == anchor.rowID }) else { return 0 }
    return tops[index] + min(max(0, anchor.line), max(0, rows[index].height - 1))
  }

  /// The anchor that stands for a line; the pane's first row where nothing is held.
  public func anchor(at line: Int) -> RowAnchor {
    guard let index = index(at: line) else { return RowAnchor() }
    return RowAnchor(rowID: rows[index].rowID, line: min(max(0, line), height - 1) - tops[index])
  }

  /// The row with a line, as an index into the rows held; the nearest where the line is outside of them.
  public func index(at line: Int) -> Int? {
    tops.isEmpty ? nil : max(0, (tops.firstIndex { $0 > line } ?? tops.count) - 1)
  }

  /// The first line that a view of so many lines shows at most, so that nothing below the last row held is seen.
  public func last(viewHeight: Int) -> Int { max(0, height - viewHeight) }

  /// The lines of the row with an id; nil where it is not held.
  public func lines(of rowID: UInt64) -> Range<Int>? {
    rows.firstIndex { $0.rowID == rowID }.map { tops[$0]..<tops[$0] + rows[$0].height }
  }

  /// The first line to show so that all of a row is seen, or its beginning where it is too high, with the least
  /// movement from `line`.
  public func line(revealing rowID: UInt64, from line: Int, viewHeight: Int) -> Int {
    guard let lines = lines(of: rowID) else { return line }
    if lines.lowerBound < line { return lines.lowerBound }
    return lines.upperBound > line + viewHeight ? min(lines.lowerBound, lines.upperBound - viewHeight) : line
  }
}
