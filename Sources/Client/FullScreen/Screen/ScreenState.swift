internal import Dates
internal import ViewState

/// The client's part of a picture: its position in the view, its current activity, and the size of the screen.
public struct ScreenState: Sendable {
  /// The columns of the screen, 1 to 10,000.
  public var columns: Int
  /// The lines of the screen, 1 to 10,000.
  public var lines: Int
  public var focused = FocusedPane()
  /// The first visible line of each pane, by its id, as far as the client knows; for others the daemon's anchor counts
  /// (``PaneScroll/anchor(of:known:)``).
  public var anchors: [UInt64: LineAnchor] = [:]
  /// The running animation; nil for none.
  public var animation: Animation?
  public var status = StatusLine()
  /// The number of moves, including those that led nowhere: screen-reader output reports these too.
  public var moves = 0
  /// The overlay; nil for none.
  public var overlay: Overlay?
  /// Rows whose text is shown despite a content warning.
  public var revealed: Set<UInt64> = []
  /// The keys in force, for texts that name keys.
  public var keymap = Keymap.standard
  /// The time.
  public var clock = Clock()
  /// True if the terminal's cursor marks the focused row; otherwise it is hidden.
  public var showsCursor = true

  /// The present, and the offset of local time.
  public struct Clock: Sendable {
    /// The present, on any clock that runs evenly, for animations.
    public var milliseconds: Int64 = 0
    /// The seconds that local time is ahead of UTC.
    public var localOffset: Int64 = 0
    /// The language of times.
    var locale = Locale.english
  }

  /// A screen of this size on which nothing happens.
  public init(columns: Int, lines: Int) {
    self.columns = columns
    self.lines = lines
  }

  /// The height of the rows, to send to the daemon as `Layout.height`. The first line of the screen is for titles, the
  /// last for the status.
  public var viewHeight: Int { max(1, lines - ScreenState.titleLines - ScreenState.statusLines) }
  /// The width of a line inside an overlay, and of a ``ComposeEditor``.
  public var panelWidth: Int { max(1, panelColumns - 4) }
  /// The columns of an overlay: all of the screen, unless there is room for it beside the navigation pane.
  var panelColumns: Int { columns < 80 + Self.navigationColumns ? columns : 80 }
  /// The columns of the whole navigation pane (docs/BEHAVIOUR.md, rule 1).
  private static let navigationColumns = 22
  /// The lines above the rows.
  public static let titleLines = 1
  /// The lines below the rows.
  public static let statusLines = 1
  /// The lines of the clock, to send to the daemon as `Layout.clock_size`.
  public static let clockSize = 3
  /// The smallest size. Below it only a notice is shown.
  public static let least = (columns: 20, lines: 5)

  /// Returns what is marked in the rows of a pane: what is looked for in it, or the query of a search; nil for nothing.
  func found(in header: PaneHeader) -> RowMatcher? {
    if let find = focused.find, find.paneID == header.paneID { return find.matcher }
    return header.query.isEmpty ? nil : RowMatcher(String(decoding: header.query, as: UTF8.self), inSearch: true)
  }
}
