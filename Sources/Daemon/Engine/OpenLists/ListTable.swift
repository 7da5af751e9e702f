internal import OrderedCollections
internal import Posts
internal import Search
internal import ViewState

/// The purpose of a list's load: the part to load, for the list that had this slot at the time.
struct ListLoad {
  enum Part { case page, conversation, facts }

  var part: Part
  var key: ListKey
  var slot: UInt32
}

/// The lists in memory and the access rules for their posts. Applies commits and loads to them.
///
/// Its loads (``takeLoads()``) and the lists that it has closed (``takeClosed()``) are collected; callers handle them
/// at once.
struct ListTable {
  let limits: EngineLimits
  var open = OpenLists()
  /// Decides which posts are rows of an account's lists.
  var access = AccessRules()
  /// The users of each list.
  var use: ListUse
  /// The memory of lists that only ephemeral sessions show, and the order in which they are read.
  private(set) var budget: ListBudget
  private var turns = LoadTurns()
  /// The authors of posts, and laid-out rows.
  var cache: RowCache
  /// The revision of the last commit that changed an author's name.
  var namedAt: UInt64 = 0
  /// The slots of the lists that the current commit has changed.
  var touched: Set<UInt32> = []
  private var loads: [(load: Load, purpose: ListLoad)] = []
  private var closed: [ListKey] = []

  init(limits: EngineLimits, fingerprint: Fingerprint) {
    self.limits = limits
    use = ListUse(limits: limits)
    budget = ListBudget(limits: limits)
    cache = RowCache(limits: limits, fingerprint: fingerprint)
  }

  /// The list with a key; nil if it is not open.
  subscript(key: ListKey) -> PostList? { open[key] }

  /// Returns the loads requested since the last call, in order, once all changed lists are counted.
  mutating func takeLoads() -> [(load: Load, purpose: ListLoad)] {
    settleBudget()
    defer { loads = [] }
    return loads
  }

  /// Returns the lists closed since the last call.
  mutating func takeClosed() -> [ListKey] {
    defer { closed = [] }
    return closed
  }

  // MARK: Opening and closing

  /// Opens a list unless it is open. Its first page loads first; the rest follows page by page. A list that was kept for
  /// requests may lack rows, which load now.
  mutating func open(_ key: ListKey) {
    if use.noteUse(of: key) { dropUnused() }
    guard open[key] == nil else {
      updateBudget(of: key)
      return loadMore(key)
    }
    if let account = key.account { access.trackAccount(account) }
    open.open(key, limits)
    switch key.base {
    case .launch: replace(key, with: [StoredPost(placeholderFor: .launchNotice, of: key.account)])
    case .search(_, ""): replace(key, with: [])
    default: break
    }
    loadMore(key)
    loadFacts(key)
  }

  /// Closes the lists that have no users.
  mutating func dropUnused() {
    for key in open.keys {
      if !use.isNeeded(key) {
        drop(key)
      } else if budget.counts(key) != use.isEphemeral(key) {
        updateBudget(of: key)
      }
    }
  }

  /// Keeps a list in memory for requests for rows, as the most recently requested one.
  mutating func keepUnshown(_ key: ListKey) {
    if use.keepForRequests(key) { dropUnused() }
  }

  /// Closes a list.
  mutating func drop(_ key: ListKey) {
    guard open.close(key) else { return }
    budget.remove(key)
    turns.remove(key)
    use.close(key)
    access.close(key, stillOpen: open.keys)
    closed.append(key)
  }

  // MARK: Loading

  /// Requests the next page of a list, unless a load is under way or the list has no users. Lists that only ephemeral
  /// sessions show wait for their turn.
  mutating func loadMore(_ key: ListKey) {
    guard let list = open[key], !list.progress.isLoading, !list.isCurrent, use.isWanted(key) else { return }
    guard use.isEphemeral(key) else { return load(list) }
    turns.wait(key, isFirst: list.cursor == nil)
    loadNext()
  }

  /// Requests a page of the list whose turn it is, unless one is being read.
  private mutating func loadNext() {
    while turns.isFree, let key = turns.next() {
      guard let list = open[key], !list.progress.isLoading, !list.isCurrent, use.isWanted(key) else { continue }
      turns.begin(list.slot)
      load(list)
    }
  }

  /// Records that a load has ended, in whatever way; the next list may be read if that was its turn.
  mutating func loadEnded(_ purpose: ListLoad) {
    if purpose.part == .page, turns.end(purpose.slot) { loadNext() }
  }

  private mutating func load(_ list: PostList) {
    let key = list.key
    switch key {
    case .lists, .launch: return
    case .conversation(let account, let subject):
      ask(.conversation(account, reference: "\(subject.rawValue)"), .conversation, list)
    default:
      let limit = max(
        1, (list.cursor == nil ? limits.lists.firstSlice : limits.lists.laterSlice) / access.pageDivisor(of: key))
      ask(.page(key.base, before: list.cursor, limit: min(limit, list.limit)), .page, list)
    }
    open.edit(key) { $0.beginLoad() }
  }

  /// Reads a list again. It keeps its rows until their replacements arrive.
  mutating func restart(_ key: ListKey) {
    guard open[key] != nil else { return }
    open.edit(key) { $0.restart() }
    loadMore(key)
  }

  /// Requests the facts about a list, unless they are being loaded.
  mutating func loadFacts(_ key: ListKey) {
    guard key.hasFacts, let list = open[key], !list.known.areLoading else { return }
    open.edit(key) { $0.known.areLoading = true }
    ask(.facts(key.base), .facts, list)
  }

  /// Requests the facts about a list again because they have changed.
  mutating func loadFactsAgain(_ key: ListKey) {
    guard open[key]?.known.areLoading == true else { return loadFacts(key) }
    open.edit(key) { $0.known.areOutdated = true }
  }

  private mutating func ask(_ load: Load, _ part: ListLoad.Part, _ list: PostList) {
    loads.append((load, ListLoad(part: part, key: list.key, slot: list.slot)))
  }

  // MARK: Budget

  /// Returns the reason why an account may not show a list without a session; nil if it may. Lists that are open take no
  /// more memory.
  func refusal(ofEphemeral key: ListKey) -> EngineError? {
    guard case .search(let account, let query) = key.base, !query.isEmpty, open[key] == nil, budget.isSpent(by: account)
    else { return nil }
    return EngineError(
      .resourceExhausted,
      "searches without a session use all the memory that they may; close one first",
      limit: limits.lists.ephemeralShare)
  }

  /// Counts the searches that have changed since the last call.
  mutating func settleBudget() {
    for key in open.takeChangedSearches() { updateBudget(of: key) }
  }

  /// Counts a list against the budget of ephemeral sessions if only they show it, and cuts it if that is spent.
  /// Otherwise it may have all of its rows. O(rows / chunk capacity).
  private mutating func updateBudget(of key: ListKey) {
    // Neither cutting nor extending a list changes its posts, so the budget needs no other count.
    guard use.isEphemeral(key), let bytes = open.read(key, { $0.byteCount }) else {
      budget.remove(key)
      if open.read(key, { $0.extend() }) == true { loadMore(key) }
      return
    }
    budget.count(key, bytes: bytes)
    if let account = key.account, budget.isSpent(by: account) { open.read(key) { $0.cut() } }
  }

  // MARK: Content

  /// Replaces everything in a list.
  mutating func replace(_ key: ListKey, with posts: [StoredPost]) { open.edit(key) { $0.replace(with: posts) } }

  /// Partitions posts that the store returned for a list into its rows and its hidden posts. Drops posts that its
  /// account may not see.
  mutating func partition(_ posts: [StoredPost], for key: ListKey) -> (visible: [StoredPost], hidden: [PostID]) {
    let seen = access.admit(posts, to: key.account)
    guard !access.hidesNothing(in: key) else { return (seen, []) }
    var (visible, hidden): ([StoredPost], [PostID]) = ([], [])
    for post in seen {
      if access.hides(post, in: key, by: cache.searchNames(of: post.author)) {
        hidden.append(post.id)
      } else {
        visible.append(post)
      }
    }
    return (visible, hidden)
  }

  /// Returns a row of a list, laid out. Every post in a frame or an answer passes through here, so a post that the
  /// account may not see never leaves, whatever a list holds (docs/BEHAVIOUR.md, rule 41).
  mutating func row(displayed index: Int, of list: inout PostList, _ layout: LayoutKey) -> LaidOutRow {
    let rank = list.rank(ofDisplayed: index)
    let account = list.key.account
    let entry = list.entry(atRank: rank)
    let key = layout.at(depth: list.depth(ofRank: rank)).with(list.folding(of: entry.id))
    guard case .post(let post) = entry, !access.includes(post.audience, account) else {
      return cache.row(entry, account: account, key: key)
    }
    return cache.row(.forbidden(post.id), account: account, key: key)
  }

  /// Returns true if a first frame of the list would not be empty for lack of data.
  func isPresentable(_ key: ListKey) -> Bool {
    guard let list = open[key], !list.known.isLacking else { return false }
    // In a filtered list it may take long until the first row is found.
    let hasRows = list.columns.count > 0 || key != key.base && list.floor != nil
    return list.isComplete || hasRows && list.isNewestFirst
  }
}
