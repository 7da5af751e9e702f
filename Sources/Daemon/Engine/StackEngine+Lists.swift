internal import Dates
internal import OrderedCollections
internal import Posts
internal import Search
internal import ViewState

extension StackEngine {
  /// Opens a list unless it is open: its first page loads first, the rest follows page by page.
  mutating func openList(_ key: ListKey) {
    noteUse(of: key)
    guard lists[key] == nil else { return }
    sight.open(key.account)
    lists[key] = PostList(key: key, slot: index.open(key), limits: limits)
    switch key.base {
    case .launch: lists[key]!.replace(with: [.launchNotice])
    case .search(_, ""): lists[key]!.replace(with: [])
    default: break
    }
    loadMore(key)
    loadFacts(key)
  }

  /// Asks for what comes next of a list, unless that is under way or nobody wants it.
  mutating func loadMore(_ key: ListKey) {
    guard let list = lists[key], !list.isLoading, !list.isCurrent, isWanted(key) else { return }
    switch key {
    case .lists, .launch: return
    case .conversation(let account, let subject):
      lists[key]!.isLoading = true
      load(.conversation(account, reference: "\(subject.rawValue)"), for: .conversation(key, slot: list.slot))
    default:
      lists[key]!.isLoading = true
      let limit = max(1, (list.cursor == nil ? limits.firstSlice : limits.laterSlice) / slowness(of: key))
      load(.page(key.base, before: list.cursor, limit: min(limit, list.limit)), for: .page(key, slot: list.slot))
    }
  }

  /// Whether more of a list is to be loaded: a list that is kept for requests waits until one asks.
  private func isWanted(_ key: ListKey) -> Bool {
    if case .home(let account) = key, keptHomes.contains(account) { return true }
    return !unshown.contains(key) || isShown(key) || waitingRows.contains { $0.key == key }
  }

  /// Whether a session that somebody looks at has a pane with the list.
  private func isShown(_ key: ListKey) -> Bool {
    (watching[key] ?? []).contains { sessions[$0]?.scenes.isEmpty == false }
  }

  /// Has a list read again; it keeps its rows until they are known to be others.
  mutating func restart(_ key: ListKey) {
    guard lists[key] != nil else { return }
    lists[key]!.restart()
    loadMore(key)
  }

  // MARK: What the store brings

  /// Takes the end of a load. What was read before the account lost sight of something, or before a commit that was
  /// forgotten, is asked for again.
  mutating func loaded(_ id: LoadID, _ result: LoadResult) {
    guard let purpose = loads.removeValue(forKey: id), let issued = issuedLoads.removeValue(forKey: id) else { return }
    defer { journal.forget(upTo: issuedLoads.values.first?.revision ?? .max) }
    if let read = result.revision {
      let isOutdated = issued.load.account.map { sight.isOutdated(read, for: $0) } ?? false
      guard !isOutdated, journal.commits(after: read) != nil else { return load(issued.load, for: purpose) }
    }
    switch purpose {
    case .page(let key, let slot): pageLoaded(key, slot, result)
    case .conversation(let key, let slot): conversationLoaded(key, slot, result)
    case .facts(let key, let slot): factsLoaded(key, slot, result, askedAt: issued.revision)
    case .navigation(let account): navigationLoaded(account, result)
    case .session(let key): sessionLoaded(key, result)
    case .subject(let key): subjectLoaded(key, result)
    case .sessions(let token, let account): sessionsLoaded(token, account, result)
    case .rows(let token, let request): rowsLoaded(token, request, result)
    case .unreadRows(let token, let request, let section): readingLoaded(token, request, section, result)
    }
  }

  private mutating func pageLoaded(_ key: ListKey, _ slot: UInt32, _ result: LoadResult) {
    guard lists[key]?.slot == slot else { return }
    guard case .page(let posts, let authors, let revision, let total, let isLast, let quiet, let gaps) = result else {
      if case .failed(let error) = result { fail(key, error) }
      return
    }
    if let quiet {
      touchViews(showing: learn(quiet, of: key.account, at: revision).compactMap { index.key(of: $0) }, isCommit: false)
    }
    let isRestarted = lists[key]!.isRestarted
    lists[key]!.isLoading = false
    lists[key]!.isRestarted = false
    guard !isRestarted else { return loadMore(key) }
    cache.learn(authors)
    let (seen, withheld) = sorted(posts, for: key)
    // Of a list that is limited it is not known what passes of what is missing.
    if let gaps, key == key.base { lists[key]!.take(gaps: gaps) }
    lists[key]!.receive(
      page: seen, withheld: withheld, downTo: isLast ? nil : posts.last?.orderKey, total: total, at: revision)
    index.note(lists[key]!.takeMoves(), of: slot)
    replay(slot, after: revision)
    applyPendingViewports(of: key, rows: seen)
    touchViews(showing: [key], isCommit: false)
    // Those who wait are answered first: for them alone no further page is read.
    answerWaitingRows(of: key)
    loadMore(key)
  }

  private mutating func conversationLoaded(_ key: ListKey, _ slot: UInt32, _ result: LoadResult) {
    guard lists[key]?.slot == slot else { return }
    guard case .conversation(_, let posts, let authors, let revision) = result else {
      if case .failed(let error) = result { fail(key, error) }
      return
    }
    let isRestarted = lists[key]!.isRestarted
    lists[key]!.isRestarted = false
    cache.learn(authors)
    fill(key, posts, revision: revision)
    if isRestarted { restart(key) }
  }

  /// Fills a conversation with what the store read at `revision`, and opens it where it is not open.
  mutating func fill(_ key: ListKey, _ posts: [StoredPost], revision: UInt64) {
    if lists[key] == nil {
      sight.open(key.account)
      lists[key] = PostList(key: key, slot: index.open(key), limits: limits)
    }
    replace(key, with: admitted(posts, to: key.account))
    replay(lists[key]!.slot, after: revision)
    applyPendingViewports(of: key, rows: posts)
    touchViews(showing: [key], isCommit: false)
  }

  /// Replaces everything in a list.
  mutating func replace(_ key: ListKey, with posts: [StoredPost]) {
    let awaited = lists[key]!.order?.awaited
    lists[key]!.replace(with: posts)
    index.note(lists[key]!.takeMoves(), of: lists[key]!.slot)
    index.expect(lists[key]!.order?.awaited, insteadOf: awaited, lists[key]!.slot)
  }

  /// Those posts that an account may see, of what the store has handed out to it.
  private mutating func admitted(_ posts: [StoredPost], to account: AccountID) -> [StoredPost] {
    sight.learn(posts, handedOutTo: account)
    return posts.filter { sight.includes($0.audience, account) }
  }

  /// Those posts that are rows of a list, of what the store has handed out for it, and those that its account does not
  /// want to see.
  private mutating func sorted(_ posts: [StoredPost], for key: ListKey) -> (shown: [StoredPost], withheld: [PostID]) {
    let seen = admitted(posts, to: key.account)
    guard key != key.base || key.quietness != .none && !hush.quiet(of: key.account).isEmpty else { return (seen, []) }
    var (shown, withheld): ([StoredPost], [PostID]) = ([], [])
    for post in seen {
      if withholds(post, from: key) { withheld.append(post.id) } else { shown.append(post) }
    }
    return (shown, withheld)
  }

  /// A list cannot be read. Where what it is about is not there, or not to be seen, it is empty, and panes that are
  /// about it close; otherwise views that show it end, so that their clients may try again.
  mutating func fail(_ key: ListKey, _ error: EngineError) {
    let refused = waitingRows.filter { $0.key == key }
    waitingRows.removeAll { $0.key == key }
    for entry in refused { effects.append(.refuse(entry.token, error)) }
    if error.code == .notFound {
      lists[key]!.isLackingFacts = false
      replace(key, with: [])
      applyPendingViewports(of: key, rows: [])
      touchViews(showing: [key], isCommit: false)
      closePanes(about: key)
      // Who asks for it again is to be told the same, and not that it is empty.
      if !isShown(key) { drop(key) }
    } else {
      drop(key)
      for view in (watching[key] ?? []).flatMap({ members(of: $0) }) { end(view, error) }
    }
  }

  // MARK: Lists that nobody needs

  /// Lists nobody shows are dropped, the timelines apart that were used last: the next view of one is to see its first
  /// row at once.
  mutating func dropUnusedLists() {
    for key in Array(lists.keys) {
      if case .home(let account) = key, keptHomes.contains(account) || waitingRows.contains(where: { $0.key == key }) {
        continue
      }
      if !isShown(key), !unshown.contains(key) { drop(key) }
    }
  }

  /// Notes that somebody looks at a timeline; the one that nobody has looked at for longest may go.
  private mutating func noteUse(of key: ListKey) {
    guard case .home(let account) = key else { return }
    keptHomes.remove(account)
    keptHomes.append(account)
    guard keptHomes.count > limits.keptHomes else { return }
    keptHomes.removeFirst()
    dropUnusedLists()
  }

  /// Keeps a list for requests for rows, as one of the last that were asked for.
  mutating func keepUnshown(_ key: ListKey) {
    unshown.remove(key)
    unshown.append(key)
    guard unshown.count > limits.unshownLists else { return }
    let idle = unshown.filter { key in !waitingRows.contains { $0.key == key } }
    for key in idle.prefix(unshown.count - limits.unshownLists) { unshown.remove(key) }
    dropUnusedLists()
  }

  private mutating func drop(_ key: ListKey) {
    guard let list = lists.removeValue(forKey: key) else { return }
    unshown.remove(key)
    index.close(list)
    dropFilter(of: key)
    dropHeights(of: key)
  }

  /// What views of these lists show may have changed. Scenes that show none of them, because other panes cover theirs,
  /// have nothing to do with it (rule 13), unless it is the titles of panes that change.
  mutating func touchViews(showing keys: [ListKey], isCommit: Bool, isNaming: Bool = false) {
    var touched: OrderedSet<SessionKey> = []
    for key in keys { followEdits(of: key) }
    for key in keys { touched.append(contentsOf: watching[key] ?? []) }
    for session in touched { touchScenes(of: session, showing: isNaming ? nil : keys, isCommit: isCommit) }
  }
}

extension PaneContent {
  /// The list a pane shows, as `account` sees it.
  func list(of account: AccountID) -> ListKey {
    switch self {
    case .timeline: .home(account)
    case .mentions: .mentions(account)
    case .lists: .lists(account)
    case .messages: .messages(account)
    case .profile: .own(account)
    case .search(let query): .search(account, query)
    case .conversation(let post): .conversation(account, post)
    case .author(let author): .author(account, author)
    case .list(let list): .made(account, list)
    case .direct(let circle): .direct(account, circle)
    case .launch: .launch
    }
  }
}
