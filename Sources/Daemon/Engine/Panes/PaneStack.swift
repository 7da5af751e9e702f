public import Posts

/// The panes of a session, bottom first: a root that stays, and what was pushed on it; with the stacks that were there
/// before and may come back (behaviour.md, section 2).
///
/// A command that changes which panes there are makes a new state; back and forward move along the states, and a new
/// command drops those ahead. What a pane wants (its width, what is collapsed in it) belongs to the pane and is the
/// same in every state; what is selected in it belongs to the state. On an error nothing changes.
public struct PaneStack: Equatable, Sendable {
  /// At least one: the root.
  public internal(set) var panes: [PaneRecord]
  /// The states before this one, the oldest first.
  var past: [[PaneRecord]] = []
  /// Those that back has left, the next one last.
  var future: [[PaneRecord]] = []
  /// The id of the next pane.
  private(set) var nextID: UInt64

  /// States at most, this one included; the oldest is forgotten.
  public static let maximumStates = 100
  /// Posts that are collapsed in a pane at most; more are refused with RESOURCE_EXHAUSTED.
  public static let maximumCollapsed = 64
  /// The greatest width that a pane may want.
  public static let maximumWidth = 10_000

  /// A section alone.
  public init(root: PaneContent = .timeline) {
    panes = [PaneRecord(id: 1, content: root)]
    nextID = 2
  }

  /// A stack that was saved; its parts are trusted.
  init(panes: [PaneRecord], past: [[PaneRecord]], future: [[PaneRecord]], nextID: UInt64) {
    (self.panes, self.past, self.future, self.nextID) = (panes, past, future, nextID)
  }

  /// The topmost pane.
  public var top: PaneRecord { panes[panes.count - 1] }

  /// The pane called `id`, 0 for the topmost; nil if it is not in the stack.
  public func pane(_ id: UInt64) -> PaneRecord? { id == 0 ? top : panes.first { $0.id == id } }

  /// The ids of the panes of all states, ascending. O(panes of all states).
  public var rememberedPanes: [UInt64] {
    Set((past + [panes] + future).joined().map(\.id)).sorted()
  }

  /// Whether a pane of any state is limited.
  var hasFilters: Bool { (past + [panes] + future).joined().contains { $0.filter != nil } }

  /// The lists of the panes, each once.
  func lists(of account: AccountID) -> [ListKey] {
    var lists: [ListKey] = []
    for pane in panes {
      let list = pane.list(of: account)
      if !lists.contains(list) { lists.append(list) }
    }
    return lists
  }

  /// The posts whose conversations its panes show, and those of states that may come back.
  var conversations: Set<PostID> {
    var posts: Set<PostID> = []
    for panes in past + [panes] + future {
      for case .conversation(let post) in panes.lazy.map(\.content) { posts.insert(post) }
    }
    return posts
  }
}

extension [PaneRecord] {
  /// Whether two states have the same panes, which show the same.
  func hasSamePanes(as other: [PaneRecord]) -> Bool {
    count == other.count && zip(self, other).allSatisfy { $0.id == $1.id && $0.filter == $1.filter }
  }
}

// MARK: - Commands that make a state

extension PaneStack {
  /// Removes every pane above `origin` (0: none), then puts a new one on top and returns its id (rule 6). NOT_FOUND
  /// without `origin`, RESOURCE_EXHAUSTED with `limit` panes.
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

  /// Takes the topmost pane and returns its id (rule 11). The root stays: that is FAILED_PRECONDITION.
  public mutating func pop() throws(EngineError) -> UInt64 {
    guard panes.count > 1 else {
      throw EngineError(.failedPrecondition, "the root pane stays; there is nothing to close")
    }
    let taken = top.id
    become(panes.dropLast())
    return taken
  }

  /// Takes every pane above `pane` and returns its id (rule 11). NOT_FOUND without that.
  public mutating func pop(to pane: UInt64) throws(EngineError) -> UInt64 {
    let index = try index(of: pane)
    become(Array(panes[...index]))
    return top.id
  }

  /// Puts a new pane in the place of `pane`, 0 for the topmost; those above it go. Returns the new one's id. A root is
  /// FAILED_PRECONDITION.
  public mutating func replace(
    _ pane: UInt64, with content: PaneContent, wantedWidth: Int = 0
  ) throws(EngineError) -> UInt64 {
    let index = try index(of: pane)
    guard index > 0 else {
      throw EngineError(.failedPrecondition, "the root pane stays; open another section in its place")
    }
    let new = newPane(content, wantedWidth)
    become(Array(panes[..<index]) + [new])
    return new.id
  }

  /// Takes every pane but the root, in which nothing is selected then, and returns the root's id (rule 11).
  public mutating func dropAll() -> UInt64 {
    var root = panes[0]
    root.selection = 0
    become([root])
    return root.id
  }

  /// Takes every pane and puts a section in the root's place; returns its id (rule 4).
  public mutating func open(_ section: PaneContent) -> UInt64 {
    let root = newPane(section, 0)
    become([root])
    return root.id
  }

  /// Limits `pane`, 0 for the topmost, to what a filter lets through, or to nothing; returns its id.
  /// FAILED_PRECONDITION for a pane that is no list of posts by time.
  public mutating func limit(_ pane: UInt64, to filter: ListFilter?) throws(EngineError) -> UInt64 {
    let index = try index(of: pane)
    guard filter == nil || panes[index].content.isFilterable else {
      throw EngineError(
        .failedPrecondition,
        "pane \(panes[index].id) cannot be limited: timelines, mentions, lists, profiles and searches can")
    }
    var next = panes
    next[index].filter = filter
    become(next)
    return next[index].id
  }

  private mutating func newPane(_ content: PaneContent, _ wantedWidth: Int) -> PaneRecord {
    defer { nextID += 1 }
    var pane = PaneRecord(id: nextID, content: content)
    pane.wantedWidth = wantedWidth
    return pane
  }

  /// Goes to a new state, unless it has the panes of this one.
  private mutating func become(_ next: [PaneRecord]) {
    defer { panes = next }
    guard !next.hasSamePanes(as: panes) else { return }
    past.append(panes)
    past.removeFirst(max(0, past.count - (Self.maximumStates - 1)))
    future = []
  }

  /// The index of a pane, 0 for the topmost. NOT_FOUND without it.
  func index(of pane: UInt64) throws(EngineError) -> Int {
    if pane == 0 { return panes.count - 1 }
    guard let index = panes.firstIndex(where: { $0.id == pane }) else {
      throw EngineError(.notFound, "there is no pane \(pane); the frames name the panes there are")
    }
    return index
  }
}
