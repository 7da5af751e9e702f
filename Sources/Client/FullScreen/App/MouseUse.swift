internal import Messages
internal import ViewState

/// The mouse, and what is dragged with it.
struct MouseUse {
  /// A button that is held down.
  private struct Drag {
    let pane: UInt64
    /// The columns in which it went down, and last was.
    let start: Int
    var last: Int
    /// The pane's left edge when it went down.
    let x: Int
    var direction: MoveStackRequest.Direction?
  }

  /// It is told to us, and not left to the terminal.
  var isOn: Bool
  private var drag: Drag?

  /// A mouse that drags nothing.
  init(isOn: Bool) { self.isOn = isOn }

  /// A button went down in a column, by which the pane of a frame may be dragged.
  mutating func press(_ frame: PaneFrame, at column: Int) {
    drag = Drag(pane: frame.paneID, start: column, last: column, x: frame.x)
  }

  /// It was moved while the button was held down.
  mutating func move(to column: Int) {
    guard var drag, column != drag.last else { return }
    drag.direction = column < drag.last ? .left : .right
    drag.last = column
    self.drag = drag
  }

  /// The button was let go: how far a pane was dragged; nil where it was not.
  mutating func release(at column: Int) -> MoveStackRequest.DragEnd? {
    defer { drag = nil }
    // A hand that trembles drags nothing.
    guard let drag, abs(column - drag.start) >= 3 else { return nil }
    return MoveStackRequest.DragEnd(
      paneID: drag.pane, x: Int32(clamping: drag.x + column - drag.start), direction: drag.direction)
  }
}
