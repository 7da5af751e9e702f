extension Action {
  /// The unit of a move.
  enum Motion {
    case rows
    case lines
    /// To another place.
    case places
  }

  /// The move that an action makes in the panes; nil where it does something else.
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

  /// It is done at once, whatever was typed before it.
  var isImmediate: Bool { [.interrupt, .quit, .suspend, .redraw, .mouse].contains(self) }
}
