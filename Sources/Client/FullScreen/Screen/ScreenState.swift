/// What a picture shows beside what the daemon says: where the client is in it, what it is doing, and how large it is.
public struct ScreenState: Sendable {
  /// Cells of a line, 1 to 10,000.
  public var columns: Int
  /// Lines, 1 to 10,000.
  public var lines: Int
  public var focused = FocusedPane()
  /// The first line that is shown of each pane, by its id, where the client knows; elsewhere the daemon's word counts
  /// (``PaneScroll/anchor(of:known:)``).
  public var anchors: [UInt64: RowAnchor] = [:]
  /// What moves; nil where nothing does.
  public var animation: Animation?
  public var status = StatusLine()
  /// How often somebody has gone somewhere, even where that was where they were: who cannot see that wants to be told.
  public var moves = 0
  /// What lies over the panes; nil for nothing.
  public var overlay: Overlay?
  /// Rows whose text is shown in spite of a content warning.
  public var revealed: Set<UInt64> = []
  /// The keys in force, for texts that name some.
  public var keymap = Keymap.standard
  /// What time it is.
  public var clock = Clock()
  /// The cursor is the terminal's own and stands on the focused row; otherwise it is hidden.
  public var showsCursor = true

  /// The present, and the clock on the wall.
  public struct Clock: Sendable {
    /// The present, on any clock that runs evenly: what animations are told by.
    public var milliseconds: Int64 = 0
    /// Seconds that local time is ahead of UTC.
    public var localOffset: Int64 = 0
  }

  /// A screen of so many cells, on which nothing happens.
  public init(columns: Int, lines: Int) {
    self.columns = columns
    self.lines = lines
  }

  /// What a view on this screen is to ask the daemon for as `Layout.height`: lines of a pane's rows. The first line is
  /// for titles, the last for the status.
  public var viewHeight: Int { max(1, lines - ScreenState.titleLines - ScreenState.statusLines) }
  /// Cells of a line of what lies over the panes: what a ``ComposeEditor`` is to be told as its width.
  public var panelWidth: Int { max(1, panelColumns - 4) }
  /// Columns of what lies over the panes: all of a screen that is not much wider.
  var panelColumns: Int { columns <= 90 ? columns : 80 }
  /// Lines above the rows.
  public static let titleLines = 1
  /// Lines below the rows.
  public static let statusLines = 1
  /// What a view is to ask for as `Layout.clock_size`: the lines of the clock.
  public static let clockSize = 3
  /// Below so many columns or lines there is a notice and nothing else.
  public static let least = (columns: 20, lines: 5)
}
