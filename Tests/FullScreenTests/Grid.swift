import Terminal
import Testing
import TextLayout

/// A picture as cells, on a terminal that measures like the daemon's width profile `sum`. The client itself never needs
/// to know widths.
struct Grid {
  /// The content of each cell: a cluster, empty after a wide one.
  private(set) var cells: [[String]]
  /// The style of each cell.
  private(set) var styles: [[Style]]
  /// The number of runs that cover each cell.
  private(set) var layers: [[Int]]
  /// Runs whose text is too wide.
  private(set) var overflows: [String] = []

  init(_ picture: Picture) {
    cells = Array(repeating: Array(repeating: " ", count: picture.columns), count: picture.lines)
    styles = Array(repeating: Array(repeating: Style(), count: picture.columns), count: picture.lines)
    layers = Array(repeating: Array(repeating: 0, count: picture.columns), count: picture.lines)
    for (line, runs) in picture.runs.enumerated() {
      for run in runs { put(run, line) }
    }
  }

  private mutating func put(_ run: Picture.Run, _ line: Int) {
    let end = run.column + run.width
    for column in run.column..<end {
      cells[line][column] = " "
      styles[line][column] = run.blank
      layers[line][column] += 1
    }
    var column = run.column
    for piece in run.pieces {
      forEachCluster(of: piece.text.span, metrics: .cells(CellProfile())) { cluster in
        let text = String(decoding: piece.text[cluster.offset..<cluster.offset + cluster.count], as: UTF8.self)
        guard cluster.width > 0 else {
          if column > run.column { cells[line][column - 1] += text }
          return true
        }
        guard column + cluster.width <= end else {
          overflows.append(
            "line \(line), column \(run.column), width \(run.width): \(String(decoding: run.pieces.flatMap(\.text), as: UTF8.self))"
          )
          return false
        }
        cells[line][column] = text
        for behind in column + 1..<max(column + 1, column + cluster.width) { cells[line][behind] = "" }
        for cell in column..<column + cluster.width { styles[line][cell] = piece.style }
        column += cluster.width
        return true
      }
    }
  }

  /// The lines without trailing spaces.
  var lines: [String] {
    cells.map { line in
      var text = line.joined()
      while text.last == " " { text.removeLast() }
      return text
    }
  }

  /// The whole text.
  var text: String { lines.joined(separator: "\n") + "\n" }

  /// Returns the content of some cells of a line.
  func text(_ line: Int, _ columns: Range<Int>) -> String { cells[line][columns].joined() }
}
