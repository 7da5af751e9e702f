internal import ClientCore

/// What a screen is to show: on each line pieces of text at columns of their own. What is put later takes the place of
/// what was put earlier, so that every cell belongs to one run at most.
///
/// Nobody measures here. The daemon says where panes lie and cuts their text to fit, and what the client writes of its
/// own is cut by an upper bound of its width. So a run is placed by its column and takes the cells it says, whatever
/// its text turns out to take in this terminal: an error stays within its run (clients.md, section 5). Of a run that is
/// cut what is surely seen stays (``Run/part(_:)``).
public struct Picture: Equatable, Sendable {
  /// Text of one look.
  public struct Piece: Equatable, Sendable {
    /// UTF-8 without control characters.
    public var text: [UInt8]
    public var style: Style
    /// Where it leads, as a terminal is to be told (OSC 8); empty for nowhere.
    public var link: [UInt8]

    /// Puts the parts together.
    public init(_ text: [UInt8], _ style: Style = Style(), link: [UInt8] = []) {
      self.text = text
      self.style = style
      self.link = link
    }
  }

  /// Pieces one after another that fill some cells of a line; what they leave is blank.
  public struct Run: Equatable, Sendable {
    /// The first cell, from 0.
    public var column: Int
    /// How many cells it fills; its text takes at most so many.
    public var width: Int
    public var pieces: [Piece]
    /// Of what the text leaves blank.
    public var blank: Style

    /// Puts the parts together.
    public init(column: Int, width: Int, _ pieces: [Piece], blank: Style = Style()) {
      self.column = column
      self.width = width
      self.pieces = pieces
      self.blank = blank
    }
  }

  /// Where the terminal's cursor stands, so that screen readers and input methods know what is in focus.
  public enum Cursor: Equatable, Sendable {
    case hidden
    /// At a cell of the screen.
    case at(line: Int, column: Int)
    /// After the first so many bytes of the text of the run that holds a cell: where that is, only the terminal knows.
    case within(line: Int, column: Int, bytes: Int)
  }

  public let columns: Int
  public let lines: Int
  /// The runs of each line, from left to right; none covers another.
  public private(set) var runs: [[Run]]
  public var cursor = Cursor.hidden
  /// What the terminal's title bar says; nil leaves it alone.
  public var title: [UInt8]?

  /// An empty picture of at least one cell.
  public init(columns: Int, lines: Int) {
    self.columns = max(1, columns)
    self.lines = max(1, lines)
    runs = Array(repeating: [], count: self.lines)
  }

  /// Puts a run on a line; what lies outside of the picture is left out, and what it covers goes. A run that begins
  /// left of the picture is left out as a whole. O(runs of the line), and where one is cut, its text.
  public mutating func put(_ run: Run, line: Int) {
    guard runs.indices.contains(line), run.column >= 0, run.column < columns, run.width > 0 else { return }
    let run = run.cells.upperBound > columns ? run.part(run.column..<columns) : run
    // Nearly all are put from left to right, one beside the other.
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
