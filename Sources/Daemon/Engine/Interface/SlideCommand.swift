/// The direction in which the panes of a stack slide.
public enum SlideDirection: Sendable, CaseIterable {
  /// Panes move left and newer ones appear: towards greater positions.
  case left
  /// Panes move right, and older ones and the menu appear: towards smaller positions.
  case right
}

/// A slide of a view's stack. Each view has its own position.
public enum SlideCommand: Equatable, Sendable {
  /// Slides to the next position in that direction at which the layout of panes differs.
  case slide(SlideDirection)
  /// Ends a drag of a pane with its left edge at `x`; the direction is nil if the pane was at rest. Pane 0 means the
  /// pane at the whole part of the position.
  case drag(pane: UInt64, x: Int, direction: SlideDirection?)
  /// Slides to the smallest position that shows this pane whole; 0 means the topmost pane.
  case reveal(pane: UInt64)
  /// Slides to this position, which must be valid.
  case position(Int)
}
