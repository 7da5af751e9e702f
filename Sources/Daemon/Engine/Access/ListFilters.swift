internal import Posts
internal import Search

/// The filters of open lists, compiled on first use.
struct ListFilters {
  /// Number of pattern states that halves the page size.
  private static let statesForHalfPage = 16

  private var ready: [ListFilter: FilterMatcher] = [:]

  /// Number of compiled filters.
  var count: Int { ready.count }

  /// Returns true if a filter accepts a post whose author has these names.
  mutating func passes(_ post: StoredPost, _ filter: ListFilter, by names: [SafeText], for reader: AccountID) -> Bool {
    prepare(filter)
    // A filter that cannot be parsed accepts everything; none is ever created.
    return ready[filter]?.passes(post, by: names, for: reader) ?? true
  }

  /// Returns the divisor for the page size of a list: long patterns may take long for each post, and the event loop
  /// waits while a page is filtered.
  mutating func pageDivisor(of key: ListKey) -> Int {
    guard case .filtered(_, let filter) = key else { return 1 }
    prepare(filter)
    return 1 + (ready[filter]?.patternStates ?? 0) / Self.statesForHalfPage
  }

  /// Returns true if a list's filter names authors.
  func filtersByAuthor(_ key: ListKey) -> Bool {
    guard case .filtered(_, let filter) = key, let query = ready[filter]?.filter.query else { return false }
    return !query.authors.isEmpty || !query.excludedAuthors.isEmpty
  }

  /// Drops the filter of a closed list, unless one of `keys` has it too. O(keys).
  mutating func drop(_ key: ListKey, unlessIn keys: [ListKey]) {
    guard case .filtered(_, let filter) = key else { return }
    let isUsed = keys.contains { if case .filtered(_, filter) = $0 { true } else { false } }
    if !isUsed { ready[filter] = nil }
  }

  private mutating func prepare(_ filter: ListFilter) {
    guard ready[filter] == nil, let read = PostFilter(canonical: filter.words) else { return }
    ready[filter] = FilterMatcher(read, since: filter.since)
  }
}
