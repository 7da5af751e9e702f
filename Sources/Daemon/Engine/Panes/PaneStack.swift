public import Posts

/// What a pane of a stack shows.
public enum PaneContent: Hashable, Sendable {
  /// The account's timeline; only as the root.
  case timeline
  /// Posts of others that name the account or answer it; only as the root.
  case mentions
  /// The lists that the account made; only as the root.
  case lists
  /// The newest post of each of its direct conversations; only as the root.
  case messages
  /// Its own posts; only as the root.
  case profile
  /// What a search finds, in the search's canonical form; without one nothing, and that only as the root.
  case search(String)
  /// The conversation around a post.
  case conversation(PostID)
  /// An author's posts.
  case author(AuthorID)
  /// Posts of the authors of a list.
  case list(ListID)
  /// A direct conversation.
  case direct(CircleID)
  /// All that a view shows that is not signed in.
  case launch
}

/// A pane of a stack.
public struct PaneRecord: Equatable, Sendable {
  /// Never reused within its session; never 0.
  public let id: UInt64
  public let content: PaneContent

  /// Puts the parts together.
  public init(id: UInt64, content: PaneContent) {
    self.id = id
    self.content = content
  }
}

/// The panes of a session, bottom first: a root that stays, and what was pushed on it (behaviour.md, section 2).
public struct PaneStack: Equatable, Sendable {
  /// At least one: the root.
  public private(set) var panes: [PaneRecord]
  private var nextID: UInt64

  /// The timeline alone.
  public init() {
    panes = [PaneRecord(id: 1, content: .timeline)]
    nextID = 2
  }

  /// The topmost pane.
  public var top: PaneRecord { panes[panes.count - 1] }

  /// Removes every pane above `origin` (0: none), then puts a new one on top and returns its id (rule 6). On an error the
  /// stack is as it was.
  public mutating func push(_ content: PaneContent, from origin: UInt64, limit: Int) throws(EngineError) -> UInt64 {
    var kept = panes.count
    if origin != 0 {
      guard let index = panes.firstIndex(where: { $0.id == origin }) else {
        throw EngineError(.notFound, "there is no pane \(origin); the frames name the panes there are")
      }
      kept = index + 1
    }
    guard kept < limit else {
      throw EngineError(.resourceExhausted, "a session has at most \(limit) panes; close some first", limit: limit)
    }
    panes.removeSubrange(kept...)
    panes.append(PaneRecord(id: nextID, content: content))
    nextID += 1
    return top.id
  }

  /// Takes the topmost pane and returns its id (rule 11). The root stays: that is FAILED_PRECONDITION.
  public mutating func pop() throws(EngineError) -> UInt64 {
    guard panes.count > 1 else { throw EngineError(.failedPrecondition, "the root pane stays; there is nothing to close") }
    return panes.removeLast().id
  }
}

// MARK: - As bytes

extension PaneStack {
  /// The stack as the store keeps it: lines of words, so that a later version and a person can read it.
  ///
  ///     stack 1
  ///     next 3
  ///     pane 1 timeline
  ///     pane 2 conversation 42
  public var encoded: [UInt8] {
    var lines = ["stack 1", "next \(nextID)"]
    for pane in panes {
      switch pane.content {
      case .timeline: lines.append("pane \(pane.id) timeline")
      case .conversation(let post): lines.append("pane \(pane.id) conversation \(post.rawValue)")
      case .mentions, .lists, .messages, .profile, .search, .author, .list, .direct, .launch: break
      }
    }
    return Array((lines.joined(separator: "\n") + "\n").utf8)
  }

  /// A stack that was saved; nil where the bytes are none. Lines this version does not know are skipped.
  public init?(decoding bytes: [UInt8]) {
    let lines = bytes.split(separator: 0x0A).map { $0.split(separator: 0x20).map { String(decoding: $0, as: UTF8.self) } }
    guard lines.first == ["stack", "1"] else { return nil }
    var panes: [PaneRecord] = []
    var next: UInt64 = 0
    for words in lines.dropFirst() {
      switch (words.first, words.count) {
      case ("next", 2): next = UInt64(words[1]) ?? 0
      case ("pane", 3...):
        guard let id = UInt64(words[1]), let content = PaneContent(words: words[2...]) else { continue }
        panes.append(PaneRecord(id: id, content: content))
      default: continue
      }
    }
    guard panes.first?.content == .timeline, panes.allSatisfy({ $0.id < next }) else { return nil }
    guard Set(panes.map(\.id)).count == panes.count, panes.dropFirst().allSatisfy({ $0.content != .timeline }) else {
      return nil
    }
    self.panes = panes
    self.nextID = next
  }
}

extension PaneContent {
  fileprivate init?(words: ArraySlice<String>) {
    switch words.first {
    case "timeline": self = .timeline
    case "conversation":
      guard words.count == 2, let post = words.last.flatMap({ Int64($0) }) else { return nil }
      self = .conversation(PostID(post))
    default: return nil
    }
  }
}
