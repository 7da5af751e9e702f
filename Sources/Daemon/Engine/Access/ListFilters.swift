internal import Posts
internal import Search

/// The filters of open lists, made ready when they are first asked.
struct ListFilters {
  /// States of patterns with which a slice is half as long.
  private static let statesForSlice = 16

  private var ready: [ListFilter: FilterMatcher] = [:]

  /// Filters that are ready.
  var count: Int { ready.count }

  /// Whether a filter lets a post through, whose author has this handle.
  mutating func passes(_ post: StoredPost, _ filter: ListFilter, by handle: SafeText, for reader: AccountID) -> Bool {
    prepare(filter)
    // What cannot be read lets everything through; it is never made.
    return ready[filter]?.passes(post, by: handle, for: reader) ?? true
  }

  /// How many times smaller than others the slices of a list are: long patterns may take long for each post, and the
  /// loop of all waits for a slice.
  mutating func slowness(of key: ListKey) -> Int {
    guard case .filtered(_, let filter) = key else { return 1 }
    prepare(filter)
    return 1 + (ready[filter]?.patternStates ?? 0) / Self.statesForSlice
  }

  /// Whether a list's filter asks for the authors of posts.
  func asksForAuthors(_ key: ListKey) -> Bool {
    guard case .filtered(_, let filter) = key, let query = ready[filter]?.filter.query else { return false }
    return !query.authors.isEmpty || !query.excludedAuthors.isEmpty
  }

  /// Forgets the filter of a list that is closed, unless one of `keys` has it too. O(keys).
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
