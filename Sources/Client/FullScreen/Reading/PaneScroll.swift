public import ViewState

/// The lines of the rows held in a pane, counted from the first of them.
public struct PaneScroll: Sendable {
  /// The number of lines of all rows held, including day lines.
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

  /// Returns the anchor in force: the client's own if its row is held, then the daemon's, then the first row.
  public static func anchor(of pane: Pane, known: LineAnchor?) -> LineAnchor {
    if let known, known.rowID == 0 || pane.rows.contains(where: { $0.rowID == known.rowID }) { return known }
    return LineAnchor(rowID: pane.status.anchorRow, line: pane.status.anchorLine)
  }

  /// Returns the line of an anchor; the first line held if its row is not held.
  public func line(of anchor: LineAnchor) -> Int {
    guard let index = rows.firstIndex(where: { $0.rowID == anchor.rowID }) else { return 0 }
    return tops[index] + min(max(0, anchor.line), max(0, rows[index].height - 1))
  }

  /// Returns the anchor of a line; the pane's first row if nothing is held.
  public func anchor(at line: Int) -> LineAnchor {
    guard let index = index(at: line) else { return LineAnchor() }
    return LineAnchor(rowID: rows[index].rowID, line: min(max(0, line), height - 1) - tops[index])
  }

  /// Returns the index of the row with a line, among the rows held; the nearest one if the line is outside.
  public func index(at line: Int) -> Int? {
    tops.isEmpty ? nil : max(0, (tops.firstIndex { $0 > line } ?? tops.count) - 1)
  }

  /// Returns the greatest first line of a view of this height that shows nothing below the last row held.
  public func last(viewHeight: Int) -> Int { max(0, height - viewHeight) }

  /// Returns the lines of the row with an id; nil if it is not held.
  public func lines(of rowID: UInt64) -> Range<Int>? {
    rows.firstIndex { $0.rowID == rowID }.map { tops[$0]..<tops[$0] + rows[$0].height }
  }

  /// Returns the first line to show, with the least movement from `line`, so that all of a row is visible, or its
  /// beginning if it is too high.
  public func line(revealing rowID: UInt64, from line: Int, viewHeight: Int) -> Int {
    guard let lines = lines(of: rowID) else { return line }
    if lines.lowerBound < line { return lines.lowerBound }
    return lines.upperBound > line + viewHeight ? min(lines.lowerBound, lines.upperBound - viewHeight) : line
  }
}
