internal import OrderedCollections
internal import Posts

/// An index of open lists that finds those a post may affect without visiting each list.
struct ListIndex {
  private var keys: [UInt32: ListKey] = [:]
  private var nextSlot: UInt32 = 1
  private var accounts: [AccountID: OrderedSet<UInt32>] = [:]
  /// Slots by the list without its filter.
  private var bases: [ListKey: OrderedSet<UInt32>] = [:]
  private var profiles: [AuthorID: OrderedSet<UInt32>] = [:]
  private var searches = OpenSearches()
  private var holders = Holders()
  /// Conversations by the missing post that their topmost post replies to.
  private var awaiting: [PostID: OrderedSet<UInt32>] = [:]
  /// Timelines. They hold nearly every post, so they are not in `holders`.
  private(set) var homes: OrderedSet<UInt32> = []

  /// Adds a list and returns its new slot.
  mutating func open(_ key: ListKey) -> UInt32 {
    let slot = nextSlot
    nextSlot += 1
    keys[slot] = key
    if let account = key.account { accounts[account, default: []].append(slot) }
    bases[key.base, default: []].append(slot)
    switch key.base {
    case .home: homes.append(slot)
    case .search(let account, let query): searches.open(query, of: account, slot)
    case .author(_, let author): setAuthors([author], slot)
    case .mentions, .lists, .messages, .direct, .made, .own, .conversation, .launch, .filtered: break
    }
    return slot
  }

  /// Removes a closed list, given its final state.
  mutating func close(_ list: PostList) {
    keys[list.slot] = nil
    let keys = keys
    holders.close(count: list.indexedCount) { keys[$0] != nil }
    if let account = list.key.account {
      accounts[account]?.remove(list.slot)
      if accounts[account]?.isEmpty == true { accounts[account] = nil }
    }
    bases[list.key.base]?.remove(list.slot)
    if bases[list.key.base]?.isEmpty == true { bases[list.key.base] = nil }
    switch list.key.base {
    case .home: homes.remove(list.slot)
    case .search(let account, let query): searches.close(query, of: account, list.slot)
    case .author, .own: removeAuthors(list.authors, list.slot)
    case .conversation: setAwaited(nil, insteadOf: list.order?.awaited, list.slot)
    case .mentions, .lists, .messages, .direct, .made, .launch, .filtered: break
    }
  }

  /// Returns the open lists with this base: the unfiltered list itself and its filtered variants.
  func lists(showing base: ListKey) -> [UInt32] { Array(bases[base] ?? []) }

  /// Returns the list with a slot; nil if it is closed.
  func key(of slot: UInt32) -> ListKey? { keys[slot] }

  /// Returns the open lists of an account, in the order in which they were opened.
  func lists(of account: AccountID) -> [UInt32] { Array(accounts[account] ?? []) }

  /// Returns the open lists, except timelines, that hold a post.
  func lists(holding post: PostID) -> [UInt32] { holders.lists(of: post).filter { keys[$0] != nil } }

  /// Returns the open profiles to which posts and reposts by `author` belong.
  func profiles(of author: AuthorID) -> [UInt32] { Array(profiles[author] ?? []) }

  /// Returns the open searches that find a post.
  mutating func searches(finding post: StoredPost, by names: [SafeText]) -> Set<UInt32> {
    searches.lists(finding: post, by: names)
  }

  /// Returns the open searches whose results depend on one of these names.
  func searches(naming names: [SafeText]) -> Set<UInt32> { searches.lists(naming: names) }

  /// Returns the open conversations whose topmost post replies to this missing post.
  func conversations(awaiting post: PostID) -> [UInt32] { Array(awaiting[post] ?? []) }

  /// Records which posts have entered and left a list.
  mutating func recordMoves(_ moves: ListMoves, of slot: UInt32) {
    for post in moves.gone { holders.remove(post, slot) }
    let keys = keys
    for post in moves.come { holders.insert(post, slot) { keys[$0] != nil } }
  }

  /// Sets the missing post that the topmost post of a conversation replies to.
  mutating func setAwaited(_ post: PostID?, insteadOf old: PostID?, _ slot: UInt32) {
    guard post != old else { return }
    if let old {
      awaiting[old]?.remove(slot)
      if awaiting[old]?.isEmpty == true { awaiting[old] = nil }
    }
    if let post { awaiting[post, default: []].append(slot) }
  }

  /// Sets the authors whose posts a profile contains.
  mutating func setAuthors(_ authors: Set<AuthorID>, insteadOf old: Set<AuthorID> = [], _ slot: UInt32) {
    removeAuthors(old.subtracting(authors), slot)
    for author in authors { profiles[author, default: []].append(slot) }
  }

  private mutating func removeAuthors(_ authors: Set<AuthorID>, _ slot: UInt32) {
    for author in authors {
      profiles[author]?.remove(slot)
      if profiles[author]?.isEmpty == true { profiles[author] = nil }
    }
  }
}
