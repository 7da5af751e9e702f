internal import OrderedCollections
internal import Posts
internal import Search

/// Lists that are limited: of another list what a filter lets through. What it does not is withheld, as what is muted
/// is.
extension StackEngine {
  /// Whether a filter lets a post through.
  mutating func passes(_ post: StoredPost, _ filter: ListFilter, for reader: AccountID) -> Bool {
    prepare(filter)
    // What cannot be read lets everything through; it is never made.
    return filters[filter]?.passes(post, by: cache.handle(of: post.author), for: reader) ?? true
  }

  private mutating func prepare(_ filter: ListFilter) {
    guard filters[filter] == nil, let read = PostFilter(canonical: filter.words) else { return }
    filters[filter] = FilterMatcher(read, since: filter.since)
  }

  /// How many times smaller than others the slices of a list are: long patterns may take long for each post, and the
  /// loop of all waits for a slice.
  mutating func slowness(of key: ListKey) -> Int {
    guard case .filtered(_, let filter) = key else { return 1 }
    prepare(filter)
    return 1 + (filters[filter]?.patternStates ?? 0) / Self.statesForSlice
  }

  /// States of patterns with which a slice is half as long.
  private static let statesForSlice = 16

  /// The filter that somebody typed for a pane. What is unread is what is newer than how far the session has read now,
  /// or marked so: rows do not go while they are read.
  func filter(_ words: String, of pane: UInt64, in session: Session) throws(EngineError) -> ListFilter? {
    guard words.utf8.contains(where: { $0 != 0x20 }) else { return nil }
    let filter = try PostFilter(typed: words)
    guard filter.isUnread else { return ListFilter(words: filter.canonical) }
    let record = session.stack.panes[try session.stack.index(of: pane)]
    guard let section = record.content.section, section.isRead else { throw .unreadElsewhere(.failedPrecondition) }
    return ListFilter(words: filter.canonical, since: session.places.readings[section]?.anchor.key)
  }

  /// Forgets a filter that no list has any more. O(lists).
  mutating func dropFilter(of key: ListKey) {
    guard case .filtered(_, let filter) = key else { return }
    let isUsed = lists.keys.contains { if case .filtered(_, filter) = $0 { true } else { false } }
    if !isUsed { filters[filter] = nil }
  }

  /// The lists whose filters ask for the authors of posts, of whom some are called otherwise now.
  var listsFilteredByAuthor: [ListKey] {
    lists.keys.filter { key in
      guard case .filtered(_, let filter) = key, let query = filters[filter]?.filter.query else { return false }
      return !query.authors.isEmpty || !query.excludedAuthors.isEmpty
    }
  }
}

extension EngineError {
  /// What is unread is asked of something that is not read on.
  static func unreadElsewhere(_ code: Code, field: String? = nil) -> EngineError {
    EngineError(
      code, "is:unread is for the timeline, mentions and your profile: of these it is known how far they are read",
      field: field)
  }
}

extension PostFilter {
  /// What somebody typed. INVALID_ARGUMENT where that is no filter.
  init(typed words: String) throws(EngineError) {
    do throws(PostFilterError) {
      try self.init(parsing: words)
    } catch {
      throw EngineError(
        .invalidArgument, error.message, field: "filter", limit: error == .tooLong ? Self.byteLimit : nil)
    }
  }
}
