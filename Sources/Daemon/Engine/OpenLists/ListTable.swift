internal import OrderedCollections
internal import Posts
internal import Search
internal import ViewState

/// Why a list asked for a load: which part of it, for the list that had this slot then.
struct ListLoad {
  enum Part { case page, conversation, facts }

  var part: Part
  var key: ListKey
  var slot: UInt32
}

/// The lists in memory, who may see what of them, and how commits and loads change them.
///
/// It asks for loads (``takeLoads()``) and says which lists it has closed (``takeClosed()``); whoever calls carries
/// that out at once.
struct ListTable {
  let limits: EngineLimits
  var open = OpenLists()
  /// Which posts are rows of whose lists.
  var access = AccessRules()
  /// Who needs which list.
  var use: ListUse
  /// The authors of posts, and rows that are laid out.
  var cache: RowCache
  /// The revision of the last commit by which somebody is called something else.
  var namedAt: UInt64 = 0
  /// The slots of the lists that the commit at hand has changed.
  var touched: Set<UInt32> = []
  private var loads: [(load: Load, purpose: ListLoad)] = []
  private var closed: [ListKey] = []

  init(limits: EngineLimits, fingerprint: Fingerprint) {
    self.limits = limits
    use = ListUse(limits: limits)
    cache = RowCache(limits: limits, fingerprint: fingerprint)
  }

  /// The list of a key; nil where it is not open.
  subscript(key: ListKey) -> PostList? { open[key] }

  /// The loads that were asked for since the last call, in order.
  mutating func takeLoads() -> [(load: Load, purpose: ListLoad)] {
    defer { loads = [] }
    return loads
  }

  /// The lists that were closed since the last call.
  mutating func takeClosed() -> [ListKey] {
    defer { closed = [] }
    return closed
  }

  // MARK: Opening and closing

  /// Opens a list unless it is open: its first page loads first, the rest follows page by page.
  mutating func open(_ key: ListKey) {
    if use.noteUse(of: key) { dropUnused() }
    guard open[key] == nil else { return }
    access.open(key.account)
    open.open(key, limits)
    switch key.base {
    case .launch: replace(key, with: [StoredPost(placeholderFor: .launchNotice, of: key.account)])
    case .search(_, ""): replace(key, with: [])
    default: break
    }
    loadMore(key)
    loadFacts(key)
  }

  /// Lists nobody needs are closed.
  mutating func dropUnused() {
    for key in open.keys where !use.isNeeded(key) { drop(key) }
  }

  /// Keeps a list for requests for rows, as one of the last that were asked for.
  mutating func keepUnshown(_ key: ListKey) {
    if use.keep(key) { dropUnused() }
  }

  /// Closes a list.
  mutating func drop(_ key: ListKey) {
    guard open.close(key) else { return }
    use.close(key)
    access.close(key, stillOpen: open.keys)
    closed.append(key)
  }

  // MARK: Loading

  /// Asks for what comes next of a list, unless that is under way or nobody wants it.
  mutating func loadMore(_ key: ListKey) {
    guard let list = open[key], !list.progress.isLoading, !list.isCurrent, use.isWanted(key) else { return }
    switch key {
    case .lists, .launch: return
    case .conversation(let account, let subject):
      ask(.conversation(account, reference: "\(subject.rawValue)"), .conversation, list)
    default:
      let limit = max(
        1, (list.cursor == nil ? limits.lists.firstSlice : limits.lists.laterSlice) / access.slowness(of: key))
      ask(.page(key.base, before: list.cursor, limit: min(limit, list.limit)), .page, list)
    }
    open.edit(key) { $0.beginLoad() }
  }

  /// Has a list read again; it keeps its rows until they are known to be others.
  mutating func restart(_ key: ListKey) {
    guard open[key] != nil else { return }
    open.edit(key) { $0.restart() }
    loadMore(key)
  }

  /// Asks for what is known of a list beside its posts, unless that is under way.
  mutating func loadFacts(_ key: ListKey) {
    guard key.hasFacts, let list = open[key], !list.known.areLoading else { return }
    open.edit(key) { $0.known.areLoading = true }
    ask(.facts(key.base), .facts, list)
  }

  /// Asks once more: it has changed.
  mutating func loadFactsAgain(_ key: ListKey) {
    guard open[key]?.known.areLoading == true else { return loadFacts(key) }
    open.edit(key) { $0.known.areOutdated = true }
  }

  private mutating func ask(_ load: Load, _ part: ListLoad.Part, _ list: PostList) {
    loads.append((load, ListLoad(part: part, key: list.key, slot: list.slot)))
  }

  // MARK: Content

  /// Replaces everything in a list.
  mutating func replace(_ key: ListKey, with posts: [StoredPost]) { open.edit(key) { $0.replace(with: posts) } }

  /// Those posts that are rows of a list, of what the store has handed out for it, and those that are hidden in it.
  mutating func sorted(_ posts: [StoredPost], for key: ListKey) -> (shown: [StoredPost], hidden: [PostID]) {
    let seen = access.admit(posts, to: key.account)
    guard !access.hidesNothing(in: key) else { return (seen, []) }
    var (shown, hidden): ([StoredPost], [PostID]) = ([], [])
    for post in seen {
      if access.hides(post, in: key, by: cache.handle(of: post.author)) {
        hidden.append(post.id)
      } else {
        shown.append(post)
      }
    }
    return (shown, hidden)
  }

  /// The row of a list's post: the one way by which a post comes to a frame or an answer. What the account may not see
  /// stays behind, whatever a list holds (behaviour.md, rule 41).
  mutating func row(displayed index: Int, of list: inout PostList, _ layout: LayoutKey) -> LaidOutRow {
    let rank = list.rank(ofDisplayed: index)
    let key = layout.at(depth: list.depth(ofRank: rank))
    let account = list.key.account
    let entry = list.entry(atRank: rank)
    guard case .post(let post) = entry, !access.includes(post.audience, account) else {
      return cache.row(entry, account: account, key: key)
    }
    return cache.row(.forbidden(post.id), account: account, key: key)
  }

  /// Whether a first frame that shows a list would show something.
  func isPresentable(_ key: ListKey) -> Bool {
    guard let list = open[key], !list.known.isLacking else { return false }
    // Of a list that is limited it may be long until the first row is found.
    let hasRows = list.columns.count > 0 || key != key.base && list.floor != nil
    return list.isComplete || hasRows && list.isNewestFirst
  }
}
