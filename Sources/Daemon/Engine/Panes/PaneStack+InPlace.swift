public import Posts

extension PaneStack {
  /// Selects a row of `pane`, 0 for the topmost, or none with row 0; returns the pane's id.
  public mutating func select(_ row: UInt64, in pane: UInt64) throws(EngineError) -> UInt64 {
    let index = try index(of: pane)
    panes[index].selection = row
    return panes[index].id
  }

  /// Has `pane`, 0 for the topmost, want another width, 0 for the profile's; returns its id.
  public mutating func resize(_ pane: UInt64, to wantedWidth: Int) throws(EngineError) -> UInt64 {
    let index = try index(of: pane)
    let id = panes[index].id
    changeEverywhere(id) { $0.wantedWidth = wantedWidth }
    return id
  }

  /// Hides or shows the replies below `post` in `pane`, 0 for the topmost; returns the pane's id. FAILED_PRECONDITION
  /// unless that is a conversation, RESOURCE_EXHAUSTED with ``maximumCollapsed`` posts.
  public mutating func collapse(_ post: PostID, _ isCollapsed: Bool, in pane: UInt64) throws(EngineError) -> UInt64 {
    let index = try index(of: pane)
    guard case .conversation = panes[index].content else {
      throw EngineError(.failedPrecondition, "pane \(panes[index].id) is no conversation; there are no replies to hide")
    }
    let pane = panes[index]
    guard isCollapsed != pane.collapsed.contains(post) else { return pane.id }
    guard !isCollapsed || pane.collapsed.count < Self.maximumCollapsed else {
      throw EngineError(
        .resourceExhausted,
        "at most \(Self.maximumCollapsed) posts of a conversation are collapsed; show the replies of some",
        limit: Self.maximumCollapsed)
    }
    changeEverywhere(pane.id) { pane in
      if isCollapsed { pane.collapsed.append(post) } else { pane.collapsed.removeAll { $0 == post } }
    }
    return pane.id
  }

  /// Changes what a pane wants, which is the same in every state. It is in states that follow each other, for no
  /// command brings a pane back but back and forward. O(panes of those states).
  private mutating func changeEverywhere(_ id: UInt64, _ change: (inout PaneRecord) -> Void) {
    func changeOne(of state: inout [PaneRecord]) -> Bool {
      guard let index = state.firstIndex(where: { $0.id == id }) else { return false }
      change(&state[index])
      return true
    }
    _ = changeOne(of: &panes)
    for index in past.indices.reversed() { guard changeOne(of: &past[index]) else { break } }
    for index in future.indices.reversed() { guard changeOne(of: &future[index]) else { break } }
  }
}
