public import Posts
internal import ViewState

/// Commands that change a pane in place, and the dispatch of client commands.
extension PaneStack {
  /// Applies a command that changes the stack and returns the pane it is about; `content` is what it opens. On an error
  /// the stack is unchanged.
  mutating func apply(
    _ action: StackCommand.Action, _ content: PaneContent?, limit: Int
  ) throws(EngineError) -> UInt64 {
    let pane = try change(by: action, content, limit: limit)
    if case .search(let words)? = action.subject { setTyped(words) }
    return pane
  }

  private mutating func change(
    by action: StackCommand.Action, _ content: PaneContent?, limit: Int
  ) throws(EngineError) -> UInt64 {
    switch action {
    case .push(_, let origin, let width):
      return try push(try pushable(content), wantedWidth: try checked(width), from: origin, limit: limit)
    case .replace(let pane, _, let width):
      return try replace(pane, with: try pushable(content), wantedWidth: try checked(width))
    case .pop: return try pop()
    case .popTo(let pane): return try pop(to: pane)
    case .dropAll: return dropAll()
    case .open(let section, _): return open(content ?? PaneContent(section))
    case .back: return try back()
    case .forward: return try forward()
    case .select(let pane, let row): return try select(row, in: pane)
    case .resize(let pane, let width): return try resize(pane, to: try checked(width))
    case .collapse(let pane, let post, let isCollapsed):
      return try collapse(PostID(Int64(clamping: post)), isCollapsed, in: pane)
    case .limit, .read, .rename, .delete: return top.id
    }
  }

  private func pushable(_ content: PaneContent?) throws(EngineError) -> PaneContent {
    guard let content, content.isPushable else {
      throw EngineError(.invalidArgument, "the search is empty; give something to search for", field: "search")
    }
    return content
  }

  private func checked(_ width: Int) throws(EngineError) -> Int {
    guard 0...Self.maximumWidth ~= width else {
      throw EngineError(
        .invalidArgument, "a pane's width must be 0 to \(Self.maximumWidth)", field: "width", limit: Self.maximumWidth)
    }
    return width
  }

  // MARK: In place

  /// Selects a row of `pane`, 0 for the topmost; row 0 selects none. Returns the pane's id.
  public mutating func select(_ row: UInt64, in pane: UInt64) throws(EngineError) -> UInt64 {
    let index = try index(of: pane)
    panes[index].selection = row
    return panes[index].id
  }

  /// Sets the wanted width of `pane`, 0 for the topmost; width 0 is the profile's. Returns the pane's id.
  public mutating func resize(_ pane: UInt64, to wantedWidth: Int) throws(EngineError) -> UInt64 {
    let index = try index(of: pane)
    let id = panes[index].id
    changeEverywhere(id) { $0.wantedWidth = wantedWidth }
    return id
  }

  /// Hides or shows the replies below `post` in `pane`, 0 for the topmost; returns the pane's id. Throws
  /// FAILED_PRECONDITION unless the pane is a conversation, RESOURCE_EXHAUSTED beyond ``maximumCollapsed`` posts.
  public mutating func collapse(_ post: PostID, _ isCollapsed: Bool, in pane: UInt64) throws(EngineError) -> UInt64 {
    let index = try index(of: pane)
    guard case .conversation = panes[index].content else {
      throw EngineError(.failedPrecondition, "pane \(panes[index].id) is not a conversation; it has no replies to hide")
    }
    let pane = panes[index]
    guard isCollapsed != pane.collapsed.contains(post) else { return pane.id }
    guard !isCollapsed || pane.collapsed.count < Self.maximumCollapsed else {
      throw EngineError(
        .resourceExhausted,
        "at most \(Self.maximumCollapsed) posts of a conversation can be collapsed; expand some first",
        limit: Self.maximumCollapsed)
    }
    changeEverywhere(pane.id) { pane in
      if isCollapsed { pane.collapsed.append(post) } else { pane.collapsed.removeAll { $0 == post } }
    }
    return pane.id
  }

  /// Changes a pane in every state that has it. Those states are consecutive, since only back and forward bring a pane
  /// back. O(panes of those states).
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
