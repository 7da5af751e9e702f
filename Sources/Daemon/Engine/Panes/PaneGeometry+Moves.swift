/// End positions of stack moves. All methods take and return valid positions.
extension PaneGeometry {
  /// Returns the nearest position in a direction at which panes lie differently; nil at the end (docs/BEHAVIOUR.md,
  /// rule 10). O(positions x panes).
  public func slide(_ direction: SlideDirection, from position: Int) -> Int? {
    let frames = lefts(at: position)
    return beyond(position, direction).first { lefts(at: $0) != frames }
  }

  /// Returns the position at which a drag of `pane` ends, released with the pane's left edge at `x`: the one at which
  /// the pane is nearest to `x` (docs/BEHAVIOUR.md, rule 10). If two left edges are equally near, the drag's direction
  /// decides. If several positions have that edge, the first in that direction at which panes lie differently is
  /// chosen; without a direction, the one nearest to `position`.
  ///
  /// A pane at the strip stays there at every greater position, so a drag goes on with the other panes when the dragged
  /// one can go no further. O(positions x panes).
  public func dragEnd(pane: Int, x: Int, direction: SlideDirection?, from position: Int) -> Int {
    let places = positions.map { (position: $0, left: lefts(at: $0)[pane]) }
    let distance = places.map { abs($0.left - x) }.min() ?? 0
    // At one left edge, or at two with x midway between them.
    var nearest = places.filter { abs($0.left - x) == distance }
    if let direction {
      let edge = direction == .left ? nearest.map(\.left).min() : nearest.map(\.left).max()
      nearest.removeAll { $0.left != edge }
      let frames = lefts(at: position)
      let onwards = beyond(position, direction).first { end in
        nearest.contains { $0.position == end } && lefts(at: end) != frames
      }
      if let onwards { return onwards }
    }
    return nearest.map(\.position).min { (abs($0 - position), $0) < (abs($1 - position), $1) } ?? position
  }

  /// Returns the smallest position that shows `pane` whole and uncovered; `position` itself if it does
  /// (docs/BEHAVIOUR.md, rule 12). Nil only in a view narrower than the strip, in which no pane is ever visible.
  /// O(positions x panes).
  public func reveal(_ pane: Int, from position: Int) -> Int? {
    isWhole(pane, at: position) ? position : positions.first { isWhole(pane, at: $0) }
  }

  /// Returns true if a pane is inside the view and under no other.
  public func isWhole(_ pane: Int, at position: Int) -> Bool {
    let lefts = lefts(at: position)
    let right = lefts[pane] + widths[pane]
    return lefts[pane] < width && right <= width && lefts[(pane + 1)...].allSatisfy { $0 >= right }
  }

  /// Returns the positions on one side of another, nearest first.
  private func beyond(_ position: Int, _ direction: SlideDirection) -> [Int] {
    switch direction {
    case .left: positions.filter { $0 > position }
    case .right: positions.filter { $0 < position }.reversed()
    }
  }

  /// Returns the position at which a slide ends of a stack that is at `position`.
  func end(of command: SlideCommand, _ stack: PaneStack, from position: Int) throws(EngineError) -> Int {
    switch command {
    case .slide(let direction): return slide(direction, from: position) ?? position
    case .drag(let pane, let x, let direction):
      let dragged = pane == 0 ? position / 2 : try stack.index(of: pane)
      return dragEnd(pane: dragged, x: x, direction: direction, from: position)
    case .reveal(let pane): return reveal(try stack.index(of: pane), from: position) ?? position
    case .position(let wanted):
      guard positions.contains(wanted) else {
        let valid = positions.map { "\($0)" }.joined(separator: ", ")
        throw EngineError(
          .failedPrecondition, "\(wanted) is not a valid position in this view; valid positions: \(valid)")
      }
      return wanted
    }
  }
}
