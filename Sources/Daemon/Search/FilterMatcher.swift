public import Posts

/// Matches posts against a filter.
///
/// A post is unread if it is newer than a position in the list, unless its reader marked it otherwise.
public struct FilterMatcher {
  public let filter: PostFilter
  private let since: OrderKey?
  private var index = SearchIndex()
  private var patterns: [PatternMatcher]
  private var excludedPatterns: [PatternMatcher]

  /// The number of states of all patterns together: a character of a post may take as many steps.
  public let patternStates: Int

  /// Prepares a filter for matching.
  public init(_ filter: PostFilter, since: OrderKey?) {
    (self.filter, self.since) = (filter, since)
    patterns = filter.patterns.map { PatternMatcher($0.program) }
    excludedPatterns = filter.excludedPatterns.map { PatternMatcher($0.program) }
    patternStates = (patterns + excludedPatterns).reduce(0) { $0 + $1.program.states.count }
    if let query = filter.query { _ = index.open(query) }
  }

  /// True if the filter admits a post for `reader`; `names` are the author's.
  ///
  /// O(length of the post); with patterns up to ``patternStates`` times that, but rarely.
  public mutating func passes(_ post: StoredPost, by names: [SafeText], for reader: AccountID) -> Bool {
    let isRepost = post.repostedBy != nil
    if let reposts = filter.reposts, reposts != isRepost { return false }
    let mark = filter.saved == nil && filter.favourited == nil ? [] : post.mark(of: reader)
    if let saved = filter.saved, saved != mark.contains(.saved) { return false }
    if let favourited = filter.favourited, favourited != mark.contains(.favourited) { return false }
    if let notices = filter.notices, notices != post.body.flags.contains(.notice) { return false }
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
    return filter.query == nil || !index.matches(post, by: names).isEmpty
  }

  /// True if the text matches all patterns and no excluded one.
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
