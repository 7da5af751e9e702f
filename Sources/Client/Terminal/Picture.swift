internal import ClientCore

/// The content of a screen: pieces of text at fixed columns of each line. Later runs replace earlier ones, so that
/// every cell belongs to at most one run.
///
/// Nothing is measured here. The daemon decides where panes lie and cuts their text to fit; the client's own text is
/// cut by an upper bound of its width. A run is placed by its column and takes the cells it says, whatever its text
/// takes on this terminal: an error stays within its run. Of a run that is cut, the certainly visible part stays
/// (``Run/part(_:)``).
public struct Picture: Equatable, Sendable {
  /// Text in one style.
  public struct Piece: Equatable, Sendable {
    /// UTF-8 without control characters.
    public var text: [UInt8]
    public var style: Style
    /// The target of the hyperlink (OSC 8); empty for none.
    public var link: [UInt8]

    public init(_ text: [UInt8], _ style: Style = Style(), link: [UInt8] = []) {
      self.text = text
      self.style = style
      self.link = link
    }
  }

  /// Consecutive pieces that fill some cells of a line. The rest of the cells is blank.
  public struct Run: Equatable, Sendable {
    /// The first cell, from 0.
    public var column: Int
    /// The number of cells it fills. Its text takes at most as many.
    public var width: Int
    public var pieces: [Piece]
    /// The style of the blank cells.
    public var blank: Style

    public init(column: Int, width: Int, _ pieces: [Piece], blank: Style = Style()) {
      self.column = column
      self.width = width
      self.pieces = pieces
      self.blank = blank
    }
  }

  /// The position of the terminal's cursor, which tells screen readers and input methods where the focus is.
  public enum Cursor: Equatable, Sendable {
    case hidden
    /// At a cell of the screen.
    case at(line: Int, column: Int)
    /// After the first `bytes` of the text of the run that holds a cell. Only the terminal knows where that is.
    case within(line: Int, column: Int, bytes: Int)
  }

  public let columns: Int
  public let lines: Int
  /// The runs of each line, from left to right, without overlaps.
  public private(set) var runs: [[Run]]
  public var cursor = Cursor.hidden
  /// The text of the terminal's title bar; nil to leave it alone.
  public var title: [UInt8]?

  /// An empty picture of at least one cell.
  public init(columns: Int, lines: Int) {
    self.columns = max(1, columns)
    self.lines = max(1, lines)
    runs = Array(repeating: [], count: self.lines)
  }

  /// Puts a run on a line, replacing what it covers. Parts outside the picture are cut off; a run that begins left of
  /// the picture is left out. O(runs of the line), and if one is cut, its text.
  public mutating func put(_ run: Run, line: Int) {
    guard runs.indices.contains(line), run.column >= 0, run.column < columns, run.width > 0 else { return }
    let run = run.cells.upperBound > columns ? run.part(run.column..<columns) : run
    // Nearly all runs are put from left to right, side by side.
    guard let last = runs[line].last, last.cells.upperBound > run.column else { return runs[line].append(run) }
    var result: [Run] = []
    result.reserveCapacity(runs[line].count + 2)
    for below in runs[line] where below.column < run.column {
      result.append(below.part(below.column..<min(below.cells.upperBound, run.column)))
    }
    result.append(run)
    for below in runs[line] where below.cells.upperBound > run.cells.upperBound {
      result.append(below.part(max(below.column, run.cells.upperBound)..<below.cells.upperBound))
    }
    runs[line] = result
  }
}
