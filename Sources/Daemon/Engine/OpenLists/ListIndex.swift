internal import OrderedCollections
internal import Posts

/// Which open lists a post may concern, without looking at each of them.
struct ListIndex {
  private var keys: [UInt32: ListKey] = [:]
  private var nextSlot: UInt32 = 1
  private var accounts: [AccountID: OrderedSet<UInt32>] = [:]
  /// By the list without its filter.
  private var bases: [ListKey: OrderedSet<UInt32>] = [:]
  private var profiles: [AuthorID: OrderedSet<UInt32>] = [:]
  private var searches = OpenSearches()
  private var holders = Holders()
  /// Conversations by the post that their topmost one answers.
  private var awaiting: [PostID: OrderedSet<UInt32>] = [:]
  /// Timelines: they hold nearly everything, and are not in `holders`.
  private(set) var homes: OrderedSet<UInt32> = []

  /// A slot for a list that is opened.
  mutating func open(_ key: ListKey) -> UInt32 {
    let slot = nextSlot
    nextSlot += 1
    keys[slot] = key
    accounts[key.account, default: []].append(slot)
    bases[key.base, default: []].append(slot)
    switch key.base {
    case .home: homes.append(slot)
    case .search(_, let query): searches.open(query, slot)
    case .author(_, let author): follow([author], slot)
    case .mentions, .lists, .messages, .direct, .made, .own, .conversation, .launch, .filtered: break
    }
    return slot
  }

  /// Forgets a list that is closed. `list` is as it was last.
  mutating func close(_ list: PostList) {
    keys[list.slot] = nil
    accounts[list.key.account]?.remove(list.slot)
    bases[list.key.base]?.remove(list.slot)
    if bases[list.key.base]?.isEmpty == true { bases[list.key.base] = nil }
    switch list.key.base {
    case .home: homes.remove(list.slot)
    case .search(_, let query): searches.close(query, list.slot)
    case .author, .own: unfollow(list.authors, list.slot)
    case .conversation: expect(nil, insteadOf: list.order?.awaited, list.slot)
    case .mentions, .lists, .messages, .direct, .made, .launch, .filtered: break
    }
  }

  /// The open lists of which this is the one without a filter: itself, and those that are limited.
  func lists(showing base: ListKey) -> [UInt32] { Array(bases[base] ?? []) }

  /// Which list a slot stands for; nil for one that is closed.
  func key(of slot: UInt32) -> ListKey? { keys[slot] }

  /// The open lists of an account, in the order in which they were opened.
  func lists(of account: AccountID) -> [UInt32] { Array(accounts[account] ?? []) }

  /// The open lists, timelines apart, that hold a post.
  func lists(holding post: PostID) -> [UInt32] { holders.lists(of: post).filter { keys[$0] != nil } }

  /// The open profiles that a post or a repost by `author` belongs to.
  func profiles(of author: AuthorID) -> [UInt32] { Array(profiles[author] ?? []) }

  /// The open searches that find a post.
  mutating func searches(finding post: StoredPost, by handle: SafeText) -> Set<UInt32> {
    searches.lists(finding: post, by: handle)
  }

  /// The open searches that find another set of posts when authors are called otherwise.
  func searches(naming handles: [SafeText]) -> Set<UInt32> { searches.lists(naming: handles) }

  /// The open conversations that lack a post at their top.
  func conversations(awaiting post: PostID) -> [UInt32] { Array(awaiting[post] ?? []) }

  /// Notes which posts have come into a list and gone from it.
  mutating func note(_ moves: ListMoves, of slot: UInt32) {
    for post in moves.gone { holders.remove(post, slot) }
    let keys = keys
    for post in moves.come { holders.insert(post, slot) { keys[$0] != nil } }
  }

  /// Notes which post the topmost one of a conversation answers.
  mutating func expect(_ post: PostID?, insteadOf old: PostID?, _ slot: UInt32) {
    guard post != old else { return }
    if let old {
      awaiting[old]?.remove(slot)
      if awaiting[old]?.isEmpty == true { awaiting[old] = nil }
    }
    if let post { awaiting[post, default: []].append(slot) }
  }

  /// Notes whose posts a profile has.
  mutating func follow(_ authors: Set<AuthorID>, insteadOf old: Set<AuthorID> = [], _ slot: UInt32) {
    unfollow(old.subtracting(authors), slot)
    for author in authors { profiles[author, default: []].append(slot) }
  }

  private mutating func unfollow(_ authors: Set<AuthorID>, _ slot: UInt32) {
    for author in authors {
      profiles[author]?.remove(slot)
      if profiles[author]?.isEmpty == true { profiles[author] = nil }
    }
  }
}
