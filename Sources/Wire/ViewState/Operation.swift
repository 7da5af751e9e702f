/// One change of a view. A frame carries them in this order: panes, stack, rows, pane states, heights, times, clocks,
/// selections, navigation.
public enum Operation: Equatable, Sendable {
  /// A pane was removed, with its rows.
  case panePopped(UInt64)
  /// A pane was added on top.
  case panePushed(PaneHeader)
  /// Panes have moved.
  case stackMoved(position: UInt32, frames: [PaneFrame])
  /// Rows left the window.
  case rowsRemoved(pane: UInt64, rows: [UInt64])
  /// Rows entered the window; they follow row `after`, or come first if that is 0.
  case rowsInserted(pane: UInt64, after: UInt64, rows: [PlacedRow])
  /// Rows changed in place.
  case rowsChanged(pane: UInt64, changes: [RowChange])
  /// The numbers of a pane changed.
  case paneStatus(pane: UInt64, PaneStatus)
  /// Rows have new line breaks; their content is unchanged.
  case heightsChanged(pane: UInt64, rows: [RowRelayout])
  /// Time labels changed: for each row an index into `labels`, which contains each text once.
  case timesRefreshed(pane: UInt64, labels: [String], rows: [UInt64], indexes: [UInt32])
  /// The clock, the thumb or the floating day moved.
  case clockMoved(pane: UInt64, PaneClock)
  /// The selection changed, or the selected row moved.
  case selectionChanged(pane: UInt64, PaneSelection)
  /// The navigation pane changed.
  case navigationChanged(Navigation)
}

/// A row that changed in place.
public struct RowChange: Equatable, Sendable {
  public var rowID: UInt64
  /// Its new caps; nil if unchanged.
  public var caps: Caps?
  /// Its new content and layout; nil if both are unchanged.
  public var row: LaidOutRow?
  /// Its new day line, which may be nil for none; nil if unchanged.
  public var day: DayLine??
  /// Its new place in a conversation's tree; nil if unchanged.
  public var tree: TreePlace?

  public init(rowID: UInt64, caps: Caps?, row: LaidOutRow?, day: DayLine?? = nil, tree: TreePlace? = nil) {
    self.rowID = rowID
    self.caps = caps
    self.row = row
    self.day = day
    self.tree = tree
  }
}

/// A row with new line breaks.
public struct RowRelayout: Equatable, Sendable {
  public var rowID: UInt64
  public var layout: RowLayout

  public init(rowID: UInt64, layout: RowLayout) {
    self.rowID = rowID
    self.layout = layout
  }
}
