internal import ViewState

/// Requests about panes that take more than one command.
struct StackUse {
  /// The preview beside the panes.
  var preview = PreviewChoice(isOn: true)
  /// The pane that is zoomed, and its width before.
  private var zoomed: (pane: UInt64, width: Int)?
  /// True if the pane beside the focused one is to show the conversation of its selected post. One command is sent at a
  /// time.
  private var wantsDetail = false
  private var isDetailUnderWay = false

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

  /// Asks for the conversation of the selected post.
  mutating func wantDetail() { wantsDetail = true }

  /// True if a command for the conversation may be sent now.
  var isDetailDue: Bool { wantsDetail && !isDetailUnderWay }

  /// Records that the command was sent.
  mutating func detailSent() { (wantsDetail, isDetailUnderWay) = (false, true) }

  /// Records that the command was answered.
  mutating func detailAnswered() { isDetailUnderWay = false }
}
