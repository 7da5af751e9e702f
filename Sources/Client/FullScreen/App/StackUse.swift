internal import ViewState

/// Wishes about panes that take more than one command.
struct StackUse {
  /// The width that a zoomed pane had.
  private var zoomed: (pane: UInt64, width: Int)?
  /// The conversation beside the focused pane is to be that of its selected post, which one command after the other sees
  /// to.
  private var wantsDetail = false
  private var isDetailUnderWay = false

  /// The width for a pane on a screen of so many columns: as wide as it allows, or as it was.
  mutating func zoom(_ frame: PaneFrame, columns: Int) -> Int {
    if let zoomed, zoomed.pane == frame.paneID {
      self.zoomed = nil
      return zoomed.width
    }
    zoomed = (frame.paneID, frame.width)
    // A pane is never wider than the screen beside the strip, so this is all there is.
    return columns
  }

  /// Forgets all panes but these.
  mutating func keep(only panes: Set<UInt64>) {
    if let zoomed, !panes.contains(zoomed.pane) { self.zoomed = nil }
  }

  /// The conversation of what is selected now is wanted.
  mutating func wantDetail() { wantsDetail = true }

  /// True where a command for that may be sent now.
  var isDetailDue: Bool { wantsDetail && !isDetailUnderWay }

  /// A command for that is sent.
  mutating func detailSent() { (wantsDetail, isDetailUnderWay) = (false, true) }

  /// It has been answered.
  mutating func detailAnswered() { isDetailUnderWay = false }
}
