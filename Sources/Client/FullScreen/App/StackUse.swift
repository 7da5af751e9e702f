internal import ViewState

/// Requests about panes that take more than one command.
struct StackUse {
  /// The pane that is zoomed, and its width before.
  private var zoomed: (pane: UInt64, width: Int)?
  /// The pane beside the focused one.
  var detail = DetailPane()

  /// Zooms a pane, or restores it. Returns the new width on a screen with this many columns.
  mutating func zoom(_ frame: PaneFrame, columns: Int) -> Int {
    if let zoomed, zoomed.pane == frame.paneID {
      self.zoomed = nil
      return zoomed.width
    }
    zoomed = (frame.paneID, frame.width)
    // The daemon limits a pane to the screen beside the strip.
    return columns
  }

  /// Forgets all panes except these.
  mutating func forgetPanes(except panes: Set<UInt64>) {
    if let zoomed, !panes.contains(zoomed.pane) { self.zoomed = nil }
  }
}
