extension PaneStack {
  /// Goes to the state before this one and returns the topmost pane's id (rule 14). FAILED_PRECONDITION at the first.
  public mutating func back() throws(EngineError) -> UInt64 {
    guard let state = past.last else {
      throw EngineError(.failedPrecondition, "there is nothing to go back to")
    }
    past.removeLast()
    future.append(panes)
    panes = state
    return top.id
  }

  /// Takes a back back and returns the topmost pane's id. FAILED_PRECONDITION at the last state.
  public mutating func forward() throws(EngineError) -> UInt64 {
    guard let state = future.last else {
      throw EngineError(.failedPrecondition, "there is nothing to go forward to")
    }
    future.removeLast()
    past.append(panes)
    panes = state
    return top.id
  }

  /// Takes panes whose subject has gone, from every state, so that nothing brings them back; the order of the others
  /// stays, and a root always does. States that do not differ any more become one. False if there was none. O(panes of
  /// all states).
  public mutating func close(where isGone: (PaneContent) -> Bool) -> Bool {
    let states = past + [panes] + future.reversed()
    guard states.contains(where: { $0.dropFirst().contains { isGone($0.content) } }) else { return false }
    var kept: [[PaneRecord]] = []
    var current = 0
    for (index, state) in states.enumerated() {
      let left = Array(state.prefix(1) + state.dropFirst().filter { !isGone($0.content) })
      let isCurrent = index == past.count
      if let last = kept.last, last.hasSamePanes(as: left) {
        // What is selected in the state that is shown is what counts.
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
