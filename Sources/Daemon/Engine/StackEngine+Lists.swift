internal import Dates
internal import OrderedCollections
internal import Posts
internal import ViewState

extension StackEngine {
  /// Opens a list unless it is open: its first slice loads first, the rest follows in slices.
  mutating func openList(_ key: ListKey) {
    guard lists[key] == nil else { return }
    lists[key] = PostList(key: key, chunkCapacity: limits.chunkCapacity)
    loadMore(key)
  }

  /// Asks for the next slice of a timeline, or for all of a conversation, unless that is under way.
  private mutating func loadMore(_ key: ListKey) {
    guard let list = lists[key], !list.isLoading, !list.isComplete else { return }
    if case .conversation = key { return reload(key) }
    lists[key]!.isLoading = true
    let oldest = list.oldestLoaded
    let limit = oldest == nil ? limits.firstSlice : limits.laterSlice
    load(.page(key, before: oldest, limit: limit), for: .page(key))
  }

  /// Takes the end of a load.
  mutating func loaded(_ id: LoadID, _ result: LoadResult) {
    guard let purpose = loads.removeValue(forKey: id) else { return }
    switch purpose {
    case .page(let key): pageLoaded(key, result)
    case .conversation(let key): conversationLoaded(key, result)
    case .session(let key): sessionLoaded(key, result)
    case .subject(let key): subjectLoaded(key, result)
    case .sessions(let token, let account): sessionsLoaded(token, account, result)
    case .rows(let token, let request): rowsLoaded(token, request, result)
    }
  }

  private mutating func pageLoaded(_ key: ListKey, _ result: LoadResult) {
    guard lists[key] != nil else { return }
    guard case .page(let posts, let authors, let revision, let total, let isLast) = result else {
      if case .failed(let error) = result { abandon(key, error) }
      return
    }
    cache.learn(authors)
    lists[key]!.receive(older: posts, readAt: revision, total: total, isLast: isLast)
    applyPendingViewports(of: key, rows: posts)
    touchViews(showing: [key], isCommit: false)
    loadMore(key)
    answerWaitingRows(of: key)
  }

  private mutating func conversationLoaded(_ key: ListKey, _ result: LoadResult) {
    guard lists[key] != nil else { return }
    guard case .conversation(_, let posts, let authors, let revision) = result else {
      guard case .failed(let error) = result else { return }
      // What the pane is about is no longer there, or may no longer be seen.
      return error.code == .notFound ? closePanes(about: key) : abandon(key, error)
    }
    cache.learn(authors)
    fill(key, posts, revision: revision)
  }

  /// Fills a conversation with what the store read.
  mutating func fill(_ key: ListKey, _ posts: [StoredPost], revision: UInt64) {
    var list = lists[key] ?? PostList(key: key, chunkCapacity: limits.chunkCapacity)
    list.replace(with: posts)
    lists[key] = list
    applyPendingViewports(of: key, rows: posts)
    touchViews(showing: [key], isCommit: false)
    // A reply that was committed after the store read the conversation, and before it came here, would be missing.
    if revision < lastThreadRevision { reload(key) }
  }

  /// Reads a conversation again, unless that is under way.
  private mutating func reload(_ key: ListKey) {
    guard case .conversation(let account, let subject) = key, lists[key]?.isLoading == false else { return }
    lists[key]!.isLoading = true
    load(.conversation(account, reference: "\(subject.rawValue)"), for: .conversation(key))
  }

  /// A list that cannot be read: those who wait for it are told; views that show it end, so that their clients may try again.
  private mutating func abandon(_ key: ListKey, _ error: EngineError) {
    drop(key)
    for view in (watching[key] ?? []).flatMap({ members(of: $0) }) { end(view, error) }
    let refused = waitingRows.filter { ListKey.home($0.request.account) == key }
    waitingRows.removeAll { ListKey.home($0.request.account) == key }
    for entry in refused { effects.append(.refuse(entry.token, error)) }
  }

  /// Takes what a transaction changed into every open list.
  mutating func receive(_ commit: CommittedPosts) {
    revision = max(revision, commit.revision)
    let hasNewNames = cache.learn(commit.authors)
    // Parents first: an archive begins with its newest.
    let replies = (commit.new + commit.originals).filter { $0.inReplyTo != nil && $0.repostedBy == nil }
      .sorted { $0.orderKey < $1.orderKey }
    if commit.new.contains(where: { $0.inReplyTo != nil }) || !(commit.changed + commit.originals).isEmpty {
      lastThreadRevision = commit.revision
    }
    var touchedLists: [ListKey] = []
    // A copy of the keys: with the dictionary's own the first change would copy the lists.
    for key in Array(lists.keys) {
      var touched = false
      switch key {
      case .home(let account):
        for post in commit.new where post.audience.includes(account) {
          lists[key]!.receive(committed: post, revision: commit.revision)
          touched = true
        }
        for post in commit.changed {
          lists[key]!.receive(changed: post, isVisible: post.audience.includes(account), revision: commit.revision)
          touched = true
        }
      case .conversation(let account, _): touched = receive(commit, replies, inConversation: key, account)
      case .mentions, .lists, .messages, .direct, .made, .author, .own, .search, .launch: break
      }
      // Authors may have changed their names in rows that did not change.
      if touched || hasNewNames { touchedLists.append(key) }
    }
    touchViews(showing: touchedLists, isCommit: true)
  }

  /// A conversation gains what answers one of its posts; when a parent turns up it is read again.
  private mutating func receive(
    _ commit: CommittedPosts, _ replies: [StoredPost], inConversation key: ListKey, _ account: AccountID
  ) -> Bool {
    var touched = false
    for post in replies where post.audience.includes(account) {
      guard let parent = post.inReplyTo, lists[key]!.contains(parent) else { continue }
      lists[key]!.receive(committed: post, revision: commit.revision)
      touched = true
    }
    for post in commit.changed + commit.originals where post.repostedBy == nil {
      let isVisible = post.audience.includes(account)
      if lists[key]!.contains(post.id) {
        lists[key]!.receive(changed: post, isVisible: isVisible, revision: commit.revision)
        touched = true
      }
      guard isVisible else { continue }
      let joins = post.inReplyTo.map { lists[key]!.contains($0) } ?? false
      if joins != lists[key]!.contains(post.id) { reload(key) }
    }
    return touched
  }

  /// Lists nobody shows are dropped, timelines apart: the next view of one is to see its first row at once.
  mutating func dropUnusedLists() {
    for key in Array(lists.keys) {
      guard case .conversation = key else { continue }
      if !(watching[key] ?? []).contains(where: { sessions[$0]?.scenes.isEmpty == false }) { drop(key) }
    }
  }

  private mutating func drop(_ key: ListKey) {
    lists[key] = nil
    dropHeights(of: key)
  }

  /// What views of these lists show may have changed; each is marked once.
  private mutating func touchViews(showing keys: [ListKey], isCommit: Bool) {
    var touched: OrderedSet<SessionKey> = []
    for key in keys { followEdits(of: key) }
    for key in keys { touched.append(contentsOf: watching[key] ?? []) }
    for session in touched { touchScenes(of: session, showing: keys, isCommit: isCommit) }
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
