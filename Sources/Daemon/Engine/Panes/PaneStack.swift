public import Posts

/// The panes of a session, bottom first: a root and what was pushed on it, with their history (docs/BEHAVIOUR.md, "Pane
/// stack").
///
/// A command that adds or removes panes makes a new state. Back and forward move along the states, and a new command
/// drops those ahead. A pane's width, collapsed posts and unfolded rows belong to the pane and are the same in
/// every state; its selection belongs to the state. On an error nothing changes.
public struct PaneStack: Equatable, Sendable {
  /// The panes; at least one, the root.
  public internal(set) var panes: [PaneRecord]
  /// Previous states, oldest first.
  var past: [[PaneRecord]] = []
  /// States left by ``back()``, the next one last.
  var future: [[PaneRecord]] = []
  /// Id of the next pane.
  private(set) var nextID: UInt64

  /// Maximum number of states, this one included; the oldest is dropped.
  public static let maximumStates = 100
  /// Maximum number of collapsed posts in a pane; more are refused with RESOURCE_EXHAUSTED.
  public static let maximumCollapsed = 64
  /// Maximum number of unfolded rows in a pane; the oldest is folded again.
  public static let maximumUnfolded = 64
  /// Maximum width that a pane may want.
  public static let maximumWidth = 10_000

  /// Creates a stack with one section.
  public init(root: PaneContent = .timeline) {
    panes = [PaneRecord(id: 1, content: root)]
    nextID = 2
  }

  /// Creates a saved stack; its parts are trusted.
  init(panes: [PaneRecord], past: [[PaneRecord]], future: [[PaneRecord]], nextID: UInt64) {
    (self.panes, self.past, self.future, self.nextID) = (panes, past, future, nextID)
  }

  /// The topmost pane.
  public var top: PaneRecord { panes[panes.count - 1] }

  /// Returns the pane with an id, 0 for the topmost; nil if it is not in the stack.
  public func pane(_ id: UInt64) -> PaneRecord? { id == 0 ? top : panes.first { $0.id == id } }

  /// Ids of the panes of all states, ascending. O(panes of all states).
  public var rememberedPanes: [UInt64] {
    Set((past + [panes] + future).joined().map(\.id)).sorted()
  }

  /// True if a pane of any state has a filter.
  var hasFilters: Bool { (past + [panes] + future).joined().contains { $0.filter != nil } }

  /// Returns the lists of the panes, each once.
  func lists(of account: AccountID?) -> [ListKey] {
    var lists: [ListKey] = []
    for pane in panes {
      let list = pane.list(of: account)
      if !lists.contains(list) { lists.append(list) }
    }
    return lists
  }

  /// Posts whose conversations are shown by panes of any state.
  var conversations: Set<PostID> {
    var posts: Set<PostID> = []
    for panes in past + [panes] + future {
      for case .conversation(let post) in panes.lazy.map(\.content) { posts.insert(post) }
    }
    return posts
  }
}

extension [PaneRecord] {
  /// Returns true if two states have the same panes with the same filters.
  func hasSamePanes(as other: [PaneRecord]) -> Bool {
    count == other.count && zip(self, other).allSatisfy { $0.id == $1.id && $0.filter == $1.filter }
  }
}

// MARK: - Commands that make a state

extension PaneStack {
  /// Removes every pane above `origin`, 0 for the topmost, then pushes a new one and returns its id (docs/BEHAVIOUR.md,
  /// rule 6). Throws NOT_FOUND without `origin`, RESOURCE_EXHAUSTED beyond `limit` panes.
  public mutating func push(
    _ content: PaneContent, wantedWidth: Int = 0, from origin: UInt64, limit: Int
  ) throws(EngineError) -> UInt64 {
    let kept = try index(of: origin) + 1
    guard kept < limit else {
      throw EngineError(.resourceExhausted, "a session has at most \(limit) panes; close some first", limit: limit)
    }
    let pane = newPane(content, wantedWidth)
    become(Array(panes[..<kept]) + [pane])
    return pane.id
  }

  /// Removes the topmost pane and returns its id (docs/BEHAVIOUR.md, rule 11). Throws FAILED_PRECONDITION for the root.
  public mutating func pop() throws(EngineError) -> UInt64 {
    guard panes.count > 1 else {
      throw EngineError(.failedPrecondition, "the root pane cannot be closed")
    }
    let taken = top.id
    become(panes.dropLast())
    return taken
  }

  /// Removes every pane above `pane` and returns its id. Throws NOT_FOUND without `pane`.
  public mutating func pop(to pane: UInt64) throws(EngineError) -> UInt64 {
    let index = try index(of: pane)
    become(Array(panes[...index]))
    return top.id
  }

  /// Replaces `pane`, 0 for the topmost, with a new one and removes those above it. Returns the new one's id. Throws
  /// FAILED_PRECONDITION for the root.
  public mutating func replace(
    _ pane: UInt64, with content: PaneContent, wantedWidth: Int = 0
  ) throws(EngineError) -> UInt64 {
    let index = try index(of: pane)
    guard index > 0 else {
      throw EngineError(.failedPrecondition, "the root pane cannot be replaced; open another section instead")
    }
    let new = newPane(content, wantedWidth)
    become(Array(panes[..<index]) + [new])
    return new.id
  }

  /// Removes every pane but the root, clears the root's selection, and returns its id.
  public mutating func dropAll() -> UInt64 {
    var root = panes[0]
    root.selection = 0
    become([root])
    return root.id
  }

  /// Removes every pane and opens a section as the root; returns its id (docs/BEHAVIOUR.md, rule 4).
  public mutating func open(_ section: PaneContent) -> UInt64 {
    let root = newPane(section, 0)
    become([root])
    return root.id
  }

  /// Sets or clears the filter of `pane`, 0 for the topmost; returns its id. Throws FAILED_PRECONDITION for a pane that
  /// is not a list of posts by time.
  public mutating func limit(_ pane: UInt64, to filter: ListFilter?) throws(EngineError) -> UInt64 {
    let index = try index(of: pane)
    guard filter == nil || panes[index].content.isFilterable else {
      throw EngineError(
        .failedPrecondition,
        "pane \(panes[index].id) cannot be filtered; only timelines, mentions, lists, profiles and searches can")
    }
    var next = panes
    next[index].filter = filter
    become(next)
    return next[index].id
  }

  /// Records the words of the search in the topmost pane, which was just opened.
  mutating func setTyped(_ words: String) { panes[panes.count - 1].typed = words }

  private mutating func newPane(_ content: PaneContent, _ wantedWidth: Int) -> PaneRecord {
    defer { nextID += 1 }
    var pane = PaneRecord(id: nextID, content: content)
    pane.wantedWidth = wantedWidth
    return pane
  }

  /// Makes a new state, or updates the current one if it has the same panes.
  private mutating func become(_ next: [PaneRecord]) {
    defer { panes = next }
    guard !next.hasSamePanes(as: panes) else { return }
    past.append(panes)
    past.removeFirst(max(0, past.count - (Self.maximumStates - 1)))
    future = []
  }

  /// Returns the index of a pane, 0 for the topmost. Throws NOT_FOUND without it.
  func index(of pane: UInt64) throws(EngineError) -> Int {
    if pane == 0 { return panes.count - 1 }
    guard let index = panes.firstIndex(where: { $0.id == pane }) else {
      throw EngineError(.notFound, "there is no pane \(pane); frames list the open panes")
    }
    return index
  }
}
