/// Which way the panes of a stack go.
public enum SlideDirection: Sendable, CaseIterable {
  /// Panes go left and newer ones show: to greater positions.
  case left
  /// Panes go right, and older ones and the menu show: to smaller positions.
  case right
}

/// How a view's stack is to slide. Where it lies is the view's own.
public enum SlideCommand: Equatable, Sendable {
  /// To the next position that way at which panes lie otherwise.
  case slide(SlideDirection)
  /// A drag of a pane has ended with its left edge at `x`; without a direction it stood still. Pane 0 is that at the
  /// position's whole part.
  case drag(pane: UInt64, x: Int, direction: SlideDirection?)
  /// To the smallest position that shows this pane whole; 0 for the topmost.
  case reveal(pane: UInt64)
  /// To this position, which must be valid.
  case position(Int)
}
