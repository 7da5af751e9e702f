internal import OrderedCollections
internal import Posts

/// The lists in memory and an index of their posts. Every change of a list's posts goes through ``edit(_:_:)``, which
/// keeps the index current.
struct OpenLists {
  private var lists: OrderedDictionary<ListKey, PostList> = [:]
  /// Finds the lists that a post may affect.
  private(set) var index = ListIndex()
  /// The searches that were opened or changed since ``takeChangedSearches()``.
  private var changedSearches: OrderedSet<ListKey> = []

  /// The list with a key; nil if it is not open.
  subscript(key: ListKey) -> PostList? { lists[key] }

  /// The open lists, in the order in which they were opened.
  var keys: [ListKey] { Array(lists.keys) }

  /// Returns true if the list with a key is open and still has this slot.
  func isOpen(_ key: ListKey, _ slot: UInt32) -> Bool { lists[key]?.slot == slot }

  /// Opens a list that is not open.
  mutating func open(_ key: ListKey, _ limits: EngineLimits) {
    lists[key] = PostList(key: key, slot: index.open(key), limits: limits)
    noteChange(of: key)
  }

  /// Closes a list. Returns false if it was not open.
  mutating func close(_ key: ListKey) -> Bool {
    guard let list = lists.removeValue(forKey: key) else { return false }
    index.close(list)
    changedSearches.remove(key)
    return true
  }

  /// Changes a list, and updates the index with the posts that entered and left; nil if the list is not open.
  @discardableResult
  mutating func edit<Result>(_ key: ListKey, _ change: (inout PostList) -> Result) -> Result? {
    guard let place = lists.index(forKey: key) else { return nil }
    let awaited = lists.values[place].order?.awaited
    let result = change(&lists.values[place])
    let slot = lists.values[place].slot
    index.recordMoves(lists.values[place].takeMoves(), of: slot)
    index.setAwaited(lists.values[place].order?.awaited, insteadOf: awaited, slot)
    noteChange(of: key)
    return result
  }

  private mutating func noteChange(of key: ListKey) {
    if case .search = key.base { changedSearches.append(key) }
  }

  /// Returns the open searches whose size may have changed since the last call: those that were opened or edited.
  mutating func takeChangedSearches() -> OrderedSet<ListKey> {
    defer { changedSearches = [] }
    return changedSearches
  }

  /// Lends a list for reading, which may update its internal caches but leaves its posts unchanged; nil if it is not
  /// open.
  @discardableResult
  mutating func read<Result>(_ key: ListKey, _ body: (inout PostList) -> Result) -> Result? {
    guard let place = lists.index(forKey: key) else { return nil }
    return body(&lists.values[place])
  }

  /// Stores a list back after a copy of it was read, to keep its updated caches.
  mutating func putBack(_ list: PostList) {
    guard let place = lists.index(forKey: list.key) else { return }
    lists.values[place] = list
  }

  /// Returns the open searches that find a post.
  mutating func searches(finding post: StoredPost, by names: [SafeText]) -> Set<UInt32> {
    index.searches(finding: post, by: names)
  }

  /// Sets the authors whose posts a profile contains.
  mutating func setAuthors(_ authors: Set<AuthorID>, insteadOf old: Set<AuthorID>, of key: ListKey) {
    if let slot = lists[key]?.slot { index.setAuthors(authors, insteadOf: old, slot) }
  }
}
