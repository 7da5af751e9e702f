internal import ViewState

/// The visible columns of panes. A pane is visible from its frame's left edge to where the next pane begins.
struct SeenPanes {
  let frames: [PaneFrame]
  /// The width of the screen in cells.
  let columns: Int

  /// Returns the frame of a pane.
  func frame(of id: UInt64) -> PaneFrame? { frames.last { $0.paneID == id } }

  /// Returns the visible columns of a pane.
  func columns(of id: UInt64) -> Range<Int> {
    guard let index = frames.lastIndex(where: { $0.paneID == id }) else { return 0..<0 }
    let frame = frames[index]
    let next = frames[(index + 1)...].map(\.x).min() ?? Int.max
    let from = max(0, frame.x)
    return from..<max(from, min(frame.x + frame.width, next, columns))
  }

  /// True if any part of a pane is visible.
  func isSeen(_ id: UInt64) -> Bool { !columns(of: id).isEmpty }

  /// True if all of a pane is visible.
  func isWhole(_ id: UInt64) -> Bool { columns(of: id).count == frame(of: id)?.width }

  /// Returns the pane visible in a column.
  func pane(at column: Int) -> UInt64? { frames.last { columns(of: $0.paneID).contains(column) }?.paneID }
}
