/// One change of a view. A frame carries them in the order of the cases' raw positions: panes, stack, rows, pane
/// states, heights, times, clocks, selections, navigation.
public enum Operation: Equatable, Sendable {
  /// A pane has gone, with its rows.
  case panePopped(UInt64)
  /// A pane has been put on top.
  case panePushed(PaneHeader)
  /// Panes lie elsewhere.
  case stackMoved(position: UInt32, frames: [PaneFrame])
  /// Rows are held no longer.
  case rowsRemoved(pane: UInt64, rows: [UInt64])
  /// Rows have come; they follow row `after`, or come first where that is 0.
  case rowsInserted(pane: UInt64, after: UInt64, rows: [PlacedRow])
  /// Rows changed in place.
  case rowsChanged(pane: UInt64, changes: [RowChange])
  /// Numbers of a pane changed.
  case paneStatus(pane: UInt64, PaneStatus)
  /// Rows are cut into other lines; their content is as it was.
  case heightsChanged(pane: UInt64, rows: [RowRelayout])
  /// Times read differently: for each row an index into `labels`, in which each text stands once.
  case timesRefreshed(pane: UInt64, labels: [String], rows: [UInt64], indexes: [UInt32])
  /// The clock, the thumb or the floating day have moved.
  case clockMoved(pane: UInt64, PaneClock)
  /// Another row is selected, or it is seen elsewhere.
  case selectionChanged(pane: UInt64, PaneSelection)
  /// The navigation pane is another.
  case navigationChanged(Navigation)
}

/// A row that changed in place.
public struct RowChange: Equatable, Sendable {
  public var rowID: UInt64
  /// Its new caps, or nil where they are as before.
  public var caps: Caps?
  /// Its new content and layout, or nil where both are as before.
  public var row: LaidOutRow?
  /// The new line of its day, which may be none; nil where that is as before.
  public var day: DayLine??
  /// Its new place in a conversation's tree; nil where that is as before.
  public var tree: TreePlace?

  /// Puts the parts together.
  public init(rowID: UInt64, caps: Caps?, row: LaidOutRow?, day: DayLine?? = nil, tree: TreePlace? = nil) {
    self.rowID = rowID
    self.caps = caps
    self.row = row
    self.day = day
    self.tree = tree
  }
}

/// A row cut into other lines.
public struct RowRelayout: Equatable, Sendable {
  public var rowID: UInt64
  public var layout: RowLayout

  /// Puts the parts together.
  public init(rowID: UInt64, layout: RowLayout) {
    self.rowID = rowID
    self.layout = layout
  }
}
