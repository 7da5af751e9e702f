internal import Messages
internal import Terminal
internal import ViewState

/// The mouse: clicks select and open, the wheel scrolls what it is over, and a drag slides the stack.
extension App {
  /// Lines for a step of the wheel.
  private static let wheelLines = 3

  /// A button that is held down.
  struct Drag: Equatable {
    var paneID: UInt64
    /// Where it went down, and where it last was.
    var start: Int
    var last: Int
    /// The pane's left edge when it went down.
    var x: Int
    var direction: MoveStackRequest.Direction?
  }

  mutating func take(_ mouse: Mouse) {
    if state.overlay != nil {
      if case .press = mouse.action, case .message = state.overlay { state.overlay = nil }
      return
    }
    switch mouse.action {
    case .wheelUp, .wheelDown:
      guard let id = paneID(at: mouse.column), let pane = pane(id) else { return }
      scrollBy(mouse.action == .wheelUp ? -App.wheelLines : App.wheelLines, in: pane)
    case .press: press(mouse)
    case .drag:
      guard var drag, mouse.column != drag.last else { return }
      drag.direction = mouse.column < drag.last ? .left : .right
      drag.last = mouse.column
      self.drag = drag
    case .release:
      guard let drag else { return }
      self.drag = nil
      // A hand that trembles drags nothing.
      guard abs(mouse.column - drag.start) >= 3 else { return }
      let end = MoveStackRequest.DragEnd(
        paneID: drag.paneID, x: Int32(clamping: drag.x + mouse.column - drag.start), direction: drag.direction)
      slide(.drag(end))
    }
  }

  /// The pane that is seen in a column.
  private func paneID(at column: Int) -> UInt64? {
    snapshot.paneFrames.last { seenColumns($0.paneID).contains(column) }?.paneID
  }

  private mutating func press(_ mouse: Mouse) {
    guard let id = paneID(at: mouse.column), let pane = pane(id) else {
      if let section = NavigationPlaces.section(at: mouse.line, of: snapshot.navigation, lines: state.lines) {
        open(section)
      }
      return
    }
    // A drag is told by the pane at the position's whole part (behaviour.md, rule 10).
    let dragged = snapshot.paneFrames[min(Int(snapshot.position / 2), snapshot.paneFrames.count - 1)]
    drag = Drag(paneID: dragged.paneID, start: mouse.column, last: mouse.column, x: dragged.x)
    let isOther = state.focused.paneID != id
    // Choosing a covered pane does nothing inside it (rule 12).
    guard isWhole(id) else { return focus(andReveal: id) }
    focusPane(id)
    let scroll = PaneScroll(pane)
    let line = firstLine(pane, scroll) + mouse.line - ScreenState.titleLines
    guard mouse.line >= ScreenState.titleLines, mouse.line < state.lines - ScreenState.statusLines,
      line < scroll.height,
      let index = scroll.index(at: line)
    else { return }
    let row = pane.rows[index].rowID
    if selectedRow(of: id) == row, !isOther { openRow() } else { select(row, in: id) }
  }
}
