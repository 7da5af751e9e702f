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
  /// The present, on any clock that runs evenly: what animations are told by.
  public var milliseconds: Int64 = 0
  /// Seconds that local time is ahead of UTC.
  public var localOffset: Int64 = 0
  /// The cursor is the terminal's own and stands on the focused row; otherwise it is hidden.
  public var showsCursor = true

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

/// A line of a row, counted with the line of its day.
public struct RowAnchor: Hashable, Sendable {
  /// 0 for the pane's first row.
  public var rowID: UInt64
  /// From 0 on.
  public var line: Int

  /// Puts the parts together.
  public init(rowID: UInt64 = 0, line: Int = 0) {
    self.rowID = rowID
    self.line = line
  }
}

/// What the last line says. The title of the focused pane and its numbers come from the view.
public struct StatusLine: Equatable, Sendable {
  /// How things are with the daemon.
  public enum Connection: Equatable, Sendable {
    /// What is shown is so.
    case live
    /// A first answer is waited for.
    case connecting
    /// There is none; since when, in words ("14:05").
    case offline(since: String)
  }

  /// What stands behind a message.
  public enum Weight: Sendable { case plain, warning }

  public var connection = Connection.connecting
  /// Something to tell, in place of the key hints; empty for nothing.
  public var message = ""
  public var weight = Weight.plain
  /// The session's name; empty for "main", which is not told.
  public var session = ""
  /// Who one is, where the navigation pane does not say.
  public var account = ""
  /// Keys and what they do here, the most useful first; as many are shown as there is room for.
  public var hints: [(keys: String, does: String)] = []
  /// More short words, such as "mouse" or "follow".
  public var marks: [String] = []

  /// Nothing to say yet.
  public init() {}

  public static func == (left: StatusLine, right: StatusLine) -> Bool {
    left.connection == right.connection && left.message == right.message && left.weight == right.weight
      && left.session == right.session && left.account == right.account && left.marks == right.marks
      && left.hints.elementsEqual(right.hints) { $0 == $1 }
  }
}
