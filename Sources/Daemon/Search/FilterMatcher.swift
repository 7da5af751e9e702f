public import Posts

/// Asks posts whether a filter lets them through. What is unread is what is newer than a place in the list, unless its
/// reader says otherwise of a post.
public struct FilterMatcher {
  /// What is asked.
  public let filter: PostFilter
  private let since: OrderKey?
  private var index = SearchIndex()
  private var patterns: [PatternMatcher]
  private var excludedPatterns: [PatternMatcher]

  /// How many states its patterns have together: a character of a post may cost as many steps.
  public let patternStates: Int

  /// Makes the filter ready.
  public init(_ filter: PostFilter, since: OrderKey?) {
    (self.filter, self.since) = (filter, since)
    patterns = filter.patterns.map { PatternMatcher($0.program) }
    excludedPatterns = filter.excludedPatterns.map { PatternMatcher($0.program) }
    patternStates = (patterns + excludedPatterns).reduce(0) { $0 + $1.program.states.count }
    if let query = filter.query { _ = index.open(query) }
  }

  /// Whether a post is let through; `handle` is its author's, and `reader` looks. O(length of the post), with patterns
  /// mostly so, and ``patternStates`` times that at most.
  public mutating func passes(_ post: StoredPost, by handle: SafeText, for reader: AccountID) -> Bool {
    let isRepost = post.repostedBy != nil
    if let reposts = filter.reposts, reposts != isRepost { return false }
    if filter.isUnread, !isUnread(post, for: reader) { return false }
    let needsBody =
      filter.replies != nil || filter.media != nil || !filter.languages.isEmpty || !filter.excludedLanguages.isEmpty
    if needsBody {
      let body = post.body.unpacked() ?? PostBody(text: .empty)
      if let replies = filter.replies {
        let isReply = !isRepost && (post.inReplyTo != nil || !body.inReplyToHandle.isEmpty)
        if replies != isReply { return false }
      }
      if let media = filter.media, media == body.media.isEmpty { return false }
      let language = body.language.string.lowercased()
      func isIn(_ wanted: String) -> Bool { language == wanted || language.hasPrefix("\(wanted)-") }
      if !filter.languages.isEmpty, !filter.languages.contains(where: isIn) { return false }
      if filter.excludedLanguages.contains(where: isIn) { return false }
    }
    if patternStates > 0, !hasPatterns(post.body) { return false }
    return filter.query == nil || !index.matches(post, by: handle).isEmpty
  }

  /// Whether the text has what it must, and nothing that it must not.
  private mutating func hasPatterns(_ body: PackedBody) -> Bool {
    let text = body.bytes.span.extracting(body.textRange)
    for index in patterns.indices where !patterns[index].isFound(in: text) { return false }
    for index in excludedPatterns.indices where excludedPatterns[index].isFound(in: text) { return false }
    return true
  }

  private func isUnread(_ post: StoredPost, for reader: AccountID) -> Bool {
    switch post.mark(of: reader).reading {
    case .read: false
    case .unread: true
    case .none: since.map { post.orderKey > $0 } ?? true
    }
  }
}
