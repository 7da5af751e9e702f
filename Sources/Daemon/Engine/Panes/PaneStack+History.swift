extension PaneStack {
  /// Goes to the previous state and returns the topmost pane's id. Throws FAILED_PRECONDITION at the first state.
  public mutating func back() throws(EngineError) -> UInt64 {
    guard let state = past.last else {
      throw EngineError(.failedPrecondition, "there is nothing to go back to")
    }
    past.removeLast()
    future.append(panes)
    panes = state
    return top.id
  }

  /// Undoes ``back()`` and returns the topmost pane's id. Throws FAILED_PRECONDITION at the last state.
  public mutating func forward() throws(EngineError) -> UInt64 {
    guard let state = future.last else {
      throw EngineError(.failedPrecondition, "there is nothing to go forward to")
    }
    future.removeLast()
    past.append(panes)
    panes = state
    return top.id
  }

  /// Removes panes whose subject is gone from every state, so that nothing brings them back. The order of the others
  /// and all roots stay. Adjacent states that become equal are merged. Returns false if there was no such pane. O(panes
  /// of all states).
  public mutating func close(where isGone: (PaneContent) -> Bool) -> Bool {
    let states = past + [panes] + future.reversed()
    guard states.contains(where: { $0.dropFirst().contains { isGone($0.content) } }) else { return false }
    var kept: [[PaneRecord]] = []
    var current = 0
    for (index, state) in states.enumerated() {
      let left = Array(state.prefix(1) + state.dropFirst().filter { !isGone($0.content) })
      let isCurrent = index == past.count
      if let last = kept.last, last.hasSamePanes(as: left) {
        // The selection of the current state wins.
        if isCurrent { kept[kept.count - 1] = left }
      } else {
        kept.append(left)
      }
      if isCurrent { current = kept.count - 1 }
    }
    past = Array(kept[..<current])
    panes = kept[current]
    future = kept[(current + 1)...].reversed()
    return true
  }
}
