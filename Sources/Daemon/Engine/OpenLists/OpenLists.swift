internal import OrderedCollections
internal import Posts

/// The lists in memory, and the index of what they hold. Every change of a list's posts goes through
/// ``edit(_:_:)``, which keeps the index true.
struct OpenLists {
  private var lists: OrderedDictionary<ListKey, PostList> = [:]
  /// Which lists a post may concern.
  private(set) var index = ListIndex()

  /// The list of a key; nil where it is not open.
  subscript(key: ListKey) -> PostList? { lists[key] }

  /// The lists that are open, in the order in which they were opened.
  var keys: [ListKey] { Array(lists.keys) }

  /// Whether the list of a key is open, and still the one that had this slot.
  func isOpen(_ key: ListKey, _ slot: UInt32) -> Bool { lists[key]?.slot == slot }

  /// Opens a list that is not open.
  mutating func open(_ key: ListKey, _ limits: EngineLimits) {
    lists[key] = PostList(key: key, slot: index.open(key), limits: limits)
  }

  /// Closes a list; false where it was not open.
  mutating func close(_ key: ListKey) -> Bool {
    guard let list = lists.removeValue(forKey: key) else { return false }
    index.close(list)
    return true
  }

  /// Changes a list, and brings the index up to what has come and gone; nil where it is not open.
  @discardableResult
  mutating func edit<Result>(_ key: ListKey, _ change: (inout PostList) -> Result) -> Result? {
    guard let place = lists.index(forKey: key) else { return nil }
    let awaited = lists.values[place].order?.awaited
    let result = change(&lists.values[place])
    let slot = lists.values[place].slot
    index.note(lists.values[place].takeMoves(), of: slot)
    index.expect(lists.values[place].order?.awaited, insteadOf: awaited, slot)
    return result
  }

  /// Lends a list to be read, which unpacks and arranges, but leaves its posts as they are; nil where it is not open.
  @discardableResult
  mutating func read<Result>(_ key: ListKey, _ body: (inout PostList) -> Result) -> Result? {
    guard let place = lists.index(forKey: key) else { return nil }
    return body(&lists.values[place])
  }

  /// Takes back a list that was read from, with what that has unpacked and arranged.
  mutating func putBack(_ list: PostList) {
    guard let place = lists.index(forKey: list.key) else { return }
    lists.values[place] = list
  }

  /// The open searches that find a post.
  mutating func searches(finding post: StoredPost, by handle: SafeText) -> Set<UInt32> {
    index.searches(finding: post, by: handle)
  }

  /// Notes whose posts a profile has.
  mutating func follow(_ authors: Set<AuthorID>, insteadOf old: Set<AuthorID>, _ key: ListKey) {
    if let slot = lists[key]?.slot { index.follow(authors, insteadOf: old, slot) }
  }
}
