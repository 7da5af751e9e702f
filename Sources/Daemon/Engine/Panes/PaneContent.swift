public import Posts

/// What a pane of a stack shows.
public enum PaneContent: Hashable, Sendable {
  /// The account's timeline; only as the root.
  case timeline
  /// The conversation around a post.
  case conversation(PostID)
}

extension PaneContent {
  /// Whether it can be a root.
  var isSection: Bool {
    switch self {
    case .timeline: true
    case .conversation: false
    }
  }

  /// Whether it can lie on another pane.
  var isPushable: Bool {
    switch self {
    case .timeline: false
    case .conversation: true
    }
  }
}

// MARK: - As words

extension PaneContent {
  /// The content in a saved stack: its kind, then what it is about.
  var words: String {
    switch self {
    case .timeline: "timeline"
    case .conversation(let post): "conversation \(post.rawValue)"
    }
  }

  /// A content that was saved; nil for words of another version.
  init?(words: ArraySlice<String>) {
    switch (words.first, words.count) {
    case ("timeline", 1): self = .timeline
    case ("conversation", 2):
      guard let post = words.last.flatMap({ Int64($0) }) else { return nil }
      self = .conversation(PostID(post))
    default: return nil
    }
  }
}
