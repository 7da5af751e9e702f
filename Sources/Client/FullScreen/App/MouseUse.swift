internal import Messages
internal import ViewState

/// The mouse, and the pane dragged with it.
struct MouseUse {
  /// A drag with the button held down.
  private struct Drag {
    let pane: UInt64
    /// The columns in which the button was pressed, and was last seen.
    let start: Int
    var last: Int
    /// The pane's left edge when the button was pressed.
    let x: Int
    var direction: MoveStackRequest.Direction?
  }

  /// True if mouse events are reported to the program, and not left to the terminal.
  var isOn: Bool
  private var drag: Drag?

  /// A mouse without a drag.
  init(isOn: Bool) { self.isOn = isOn }

  /// Records a press in a column, which may begin a drag of a pane.
  mutating func press(_ frame: PaneFrame, at column: Int) {
    drag = Drag(pane: frame.paneID, start: column, last: column, x: frame.x)
  }

  /// Records a move with the button held down.
  mutating func move(to column: Int) {
    guard var drag, column != drag.last else { return }
    drag.direction = column < drag.last ? .left : .right
    drag.last = column
    self.drag = drag
  }

  /// Ends the drag. Returns how far the pane was dragged; nil if it was not.
  mutating func release(at column: Int) -> MoveStackRequest.DragEnd? {
    defer { drag = nil }
    // A trembling hand drags nothing.
    guard let drag, abs(column - drag.start) >= 3 else { return nil }
    return MoveStackRequest.DragEnd(
      paneID: drag.pane, x: Int32(clamping: drag.x + column - drag.start), direction: drag.direction)
  }
}
