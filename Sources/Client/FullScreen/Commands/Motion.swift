extension Action {
  /// The unit of a move.
  enum Motion {
    case rows
    case lines
    /// A move to another place.
    case places
  }

  /// The unit by which an action moves in the panes; nil if it does not move.
  var motion: Motion? {
    switch self {
    case .nextRow, .previousRow: .rows
    case .pageDown, .pageUp, .halfPageDown, .halfPageUp, .lineDown, .lineUp: .lines
    case .firstRow, .lastRow, .focusLeft, .focusRight, .focusNext, .focusPrevious, .pane1, .pane2, .pane3, .pane4,
      .pane5, .pane6, .pane7, .pane8, .pane9:
      .places
    default: nil
    }
  }

  /// True if the action is performed at once, without waiting for keys typed before it.
  var isImmediate: Bool { [.interrupt, .quit, .suspend, .redraw, .mouse].contains(self) }
}
