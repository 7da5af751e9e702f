/// Where moves of a stack end. All of them take and return valid positions.
extension PaneGeometry {
  /// The nearest position on one side of `position` at which panes lie otherwise; nil at the end (rule 10). O(positions
  /// x panes).
  public func slide(_ direction: SlideDirection, from position: Int) -> Int? {
    let frames = lefts(at: position)
    return beyond(position, direction).first { lefts(at: $0) != frames }
  }

  /// Where a drag of `pane` ends that was let go with the pane's left edge at `x`: the position at which the pane is
  /// nearest to that (rule 10). Where it would be as near on either side, the drag's direction decides, and where it is
  /// as near at several positions, the first of these in that direction at which panes lie otherwise; without a
  /// direction, the one nearest to `position`.
  ///
  /// A pane that is at the strip stays there at every greater position, so this is also how a drag goes on when the
  /// pane that is dragged can go no further. O(positions x panes).
  public func dragEnd(pane: Int, x: Int, direction: SlideDirection?, from position: Int) -> Int {
    let places = positions.map { (position: $0, left: lefts(at: $0)[pane]) }
    let distance = places.map { abs($0.left - x) }.min() ?? 0
    // At one left edge, or at two with x in the middle between them.
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

  /// The smallest position that shows `pane` whole and uncovered; `position` itself if it does (rule 12). Nil only in a
  /// view that is not even as wide as the strip, in which no pane is ever seen. O(positions x panes).
  public func reveal(_ pane: Int, from position: Int) -> Int? {
    isWhole(pane, at: position) ? position : positions.first { isWhole(pane, at: $0) }
  }

  /// Whether a pane is inside of the view and under no other.
  public func isWhole(_ pane: Int, at position: Int) -> Bool {
    let lefts = lefts(at: position)
    let right = lefts[pane] + widths[pane]
    return lefts[pane] < width && right <= width && lefts[(pane + 1)...].allSatisfy { $0 >= right }
  }

  /// The positions on one side of another, the nearest first.
  private func beyond(_ position: Int, _ direction: SlideDirection) -> [Int] {
    switch direction {
    case .left: positions.filter { $0 > position }
    case .right: positions.filter { $0 < position }.reversed()
    }
  }

  /// Where a slide of a stack ends that is at `position`.
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
        throw EngineError(.failedPrecondition, "the stack does not rest at \(wanted) in this view, but at \(valid)")
      }
      return wanted
    }
  }
}
