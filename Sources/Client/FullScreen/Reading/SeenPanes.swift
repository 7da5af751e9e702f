internal import ViewState

/// The columns of panes that are seen: a pane begins where its frame says, and is seen up to where the next one begins.
struct SeenPanes {
  let frames: [PaneFrame]
  /// Cells of a line of the screen.
  let columns: Int

  /// The frame of a pane.
  func frame(of id: UInt64) -> PaneFrame? { frames.last { $0.paneID == id } }

  /// The columns of a pane that are seen.
  func columns(of id: UInt64) -> Range<Int> {
    guard let index = frames.lastIndex(where: { $0.paneID == id }) else { return 0..<0 }
    let frame = frames[index]
    let next = frames[(index + 1)...].map(\.x).min() ?? Int.max
    let from = max(0, frame.x)
    return from..<max(from, min(frame.x + frame.width, next, columns))
  }

  /// Anything of a pane is seen.
  func isSeen(_ id: UInt64) -> Bool { !columns(of: id).isEmpty }

  /// All of a pane is seen.
  func isWhole(_ id: UInt64) -> Bool { columns(of: id).count == frame(of: id)?.width }

  /// The pane that is seen in a column.
  func pane(at column: Int) -> UInt64? { frames.last { columns(of: $0.paneID).contains(column) }?.paneID }
}
