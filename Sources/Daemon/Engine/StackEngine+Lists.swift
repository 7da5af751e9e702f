internal import Dates
internal import OrderedCollections
internal import Posts
internal import Search
internal import ViewState

/// Lists: loads, commits, requests for rows, and the resulting changes to views.
extension StackEngine {
  /// Issues the loads that lists ask for, and drops the heights of closed lists.
  mutating func drainListEffects() {
    for ask in lists.takeLoads() { load(ask.load, for: .list(ask.purpose)) }
    for key in lists.takeClosed() { scenes.heights.drop(key) }
  }

  mutating func openList(_ key: ListKey) {
    lists.open(key)
    drainListEffects()
  }

  /// Loads the next page of a list, unless one is being loaded or nothing needs it.
  mutating func loadMore(_ key: ListKey) {
    lists.loadMore(key)
    drainListEffects()
  }

  /// Closes lists that nothing needs any more.
  mutating func dropUnusedLists() {
    lists.dropUnused()
    drainListEffects()
  }

  // MARK: Loads

  /// Handles the end of a load. A read made before the account lost access to something, or before a forgotten commit,
  /// is repeated.
  mutating func loaded(_ id: LoadID, _ result: LoadResult) {
    guard let ended = loads.end(id) else { return }
    defer { loads.forgetSeenCommits() }
    if let read = result.revision {
      let isOutdated = ended.load.account.map { lists.access.isOutdated(read, for: $0) } ?? false
      guard !isOutdated, loads.commits(after: read) != nil else { return load(ended.load, for: ended.purpose) }
    }
    switch ended.purpose {
    case .list(let purpose): listLoaded(purpose, result, askedAt: ended.revision)
    case .navigation(let account): navigationLoaded(account, result)
    case .session(let key): sessionLoaded(key, result)
    case .subject(let key): subjectLoaded(key, result)
    case .sessions(let token, let account): sessionsLoaded(token, account, result)
    case .rows(let token, let request): rowsLoaded(token, request, result)
    case .unreadRows(let token, let request, let section): readingLoaded(token, request, section, result)
    }
  }

  private mutating func listLoaded(_ purpose: ListLoad, _ result: LoadResult, askedAt asked: UInt64) {
    let key = purpose.key
    lists.loadEnded(purpose)
    drainListEffects()
    guard lists.open.isOpen(key, purpose.slot) else { return }
    if purpose.part == .facts { lists.factsEnded(key) }
    drainListEffects()
    switch (purpose.part, result) {
    case (.page, .page(let page)): pageLoaded(key, page)
    case (.conversation, .conversation(_, let posts, let authors, let revision)):
      let isRestarted = lists.receive(posts, authors, of: key, missed: loads.commits(after: revision))
      drainListEffects()
      applyPendingViewports(of: key, rows: posts)
      touchViews(showing: [key], isCommit: false)
      if isRestarted { lists.restart(key) }
      drainListEffects()
    case (.facts, .facts(let facts, let authors, _)):
      factsLoaded(facts, authors, of: key, askedAt: asked)
    case (_, .failed(let error)): fail(key, error)
    default: break
    }
  }

  private mutating func pageLoaded(_ key: ListKey, _ page: ListPage) {
    if let muted = page.muteList, let account = key.account {
      touchViews(showing: updateMuteList(muted, of: account, at: page.revision), isCommit: false)
    }
    guard let rows = lists.receive(page, of: key, missed: loads.commits(after: page.revision)) else {
      return drainListEffects()
    }
    drainListEffects()
    applyPendingViewports(of: key, rows: rows)
    touchViews(showing: [key], isCommit: false)
    // Waiting requests are answered first: no further page is read for them alone.
    answerWaitingRows(of: key)
    loadMore(key)
  }

  /// Applies facts about a list that were asked for at revision `asked`.
  private mutating func factsLoaded(
    _ facts: ListFacts, _ authors: [Author], of key: ListKey, askedAt asked: UInt64
  ) {
    let isNew = lists.receive(facts, authors, of: key, at: revision, missed: loads.commits(after: asked))
    drainListEffects()
    guard isNew else { return }
    if case .lists = facts { applyPendingViewports(of: key, rows: []) }
    touchViews(showing: [key], isCommit: false, isNaming: true)
    answerWaitingRows(of: key)
  }

  /// Fills a conversation with what the store read at `revision`, opening it if needed.
  mutating func fill(_ key: ListKey, _ posts: [StoredPost], revision: UInt64) {
    lists.fill(key, posts, missed: loads.commits(after: revision))
    drainListEffects()
    applyPendingViewports(of: key, rows: posts)
    touchViews(showing: [key], isCommit: false)
  }

  /// Applies an account's mute list and returns the lists that it changes.
  @discardableResult
  mutating func updateMuteList(_ muted: MuteList, of account: AccountID, at revision: UInt64) -> [ListKey] {
    guard let slots = lists.setMuteList(muted, of: account, at: revision) else { return [] }
    drainListEffects()
    reloadNavigation(of: account)
    return slots.compactMap { lists.open.index.key(of: $0) }
  }

  /// Handles a list that cannot be read. If its subject does not exist or is not visible, the list becomes empty and
  /// panes about it close. Otherwise views that show it end, so that their clients may try again.
  mutating func fail(_ key: ListKey, _ error: EngineError) {
    refuseWaitingRows(of: key, error)
    if error.code == .notFound {
      lists.empty(key)
      applyPendingViewports(of: key, rows: [])
      touchViews(showing: [key], isCommit: false)
      closePanes(about: key)
      // A later request must get the same error, not an empty list.
      if !lists.use.isShown(key) { lists.drop(key) }
      drainListEffects()
    } else {
      lists.drop(key)
      drainListEffects()
      for view in lists.use.sessions(showing: key).flatMap({ members(of: $0) }) { end(view, error) }
    }
  }

  // MARK: Commits

  /// Applies a commit to every open list that it concerns.
  mutating func receive(_ commit: CommittedPosts) {
    revision = max(revision, commit.revision)
    let renamed = lists.cache.searchNamesChanged(by: commit.authors)
    let hasNewNames = lists.cache.addAuthors(commit.authors)
    if hasNewNames { lists.namedAt = revision }
    let digest = DigestedCommit(commit)
    loads.recordCommit(digest)
    let gained = lists.beginCommit(commit)
    for (account, muted) in commit.changes.muteLists.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      lists.noteChange(of: updateMuteList(muted, of: account, at: commit.revision))
    }
    lists.apply(digest)
    drainListEffects()
    noteNews(digest)
    lists.reloadLists(after: digest, gained: gained, renamed: renamed)
    drainListEffects()
    closePanes(aboutConversationsOf: Set(commit.changes.removed.lazy.map(\.id)))
    let concerned = hasNewNames ? lists.open.keys : lists.concerned
    for key in concerned { lists.loadMore(key) }
    drainListEffects()
    touchViews(showing: concerned, isCommit: true, isNaming: hasNewNames)
  }

  /// Closes panes about posts that were deleted. O(sessions), whatever the number of posts.
  private mutating func closePanes(aboutConversationsOf gone: Set<PostID>) {
    guard !gone.isEmpty else { return }
    var lists: OrderedSet<ListKey> = []
    for session in sessions.all {
      for post in session.stack.conversations.intersection(gone).sorted(by: { $0.rawValue < $1.rawValue }) {
        lists.append(PaneContent.conversation(post).list(of: session.key.account))
      }
    }
    for list in lists { closePanes(about: list) }
  }

  /// Marks views of these lists as possibly changed. Scenes in which other panes cover these lists are skipped
  /// (docs/BEHAVIOUR.md, rule 13), unless pane titles change.
  mutating func touchViews(showing keys: [ListKey], isCommit: Bool, isNaming: Bool = false) {
    var touched: OrderedSet<SessionKey> = []
    for key in keys { scenes.heights.applyEdits(of: key, in: &lists.open) }
    for key in keys { touched.append(contentsOf: lists.use.sessions(showing: key)) }
    let seen = isNaming ? nil : Set(keys)
    for session in touched { touchScenes(of: session, showing: seen, isCommit: isCommit) }
  }

  // MARK: Previews

  /// Chooses the post whose conversation a view shows beside its stack; nil for none (docs/BEHAVIOUR.md, rule 50).
  mutating func preview(_ post: PostID?, in view: ViewSlot) {
    let (key, shown) = (views[view].session, scenes[views[view].scene].identity.preview)
    guard shown != post else { return }
    let isLoaded = shown.map { lists.isPresentable(PaneContent.conversation($0).list(of: key.account)) } ?? false
    change(view) { $0.replacePreview(by: post, isLoaded: isLoaded) }
    updatePreviews(of: key)
    markOwnCommand(view)
  }

  /// Opens the conversations that a session's scenes have room to preview, and closes those that are not shown any
  /// more. O(scenes of the session), if any has a preview.
  mutating func updatePreviews(of key: SessionKey) {
    guard let session = sessions[key], session.isLoaded else { return }
    let wanted = session.wantedPreviews(in: scenes, limits)
    guard wanted != session.previews else { return }
    sessions.edit(key) { $0.previews = wanted }
    lists.use.setLists(of: key, to: sessions[key]?.lists ?? [], insteadOf: session.lists)
    for list in wanted.subtracting(session.previews) { openList(list) }
    dropUnusedLists()
  }

  // MARK: Requests for rows

  /// Answers a request for rows, now or once the store has read them.
  mutating func rowsRequested(_ request: RowsRequest, _ token: RequestToken) {
    let account = request.account
    do throws(EngineError) {
      let filter = try request.postFilter()
      switch request.subject {
      case .post(let reference): load(.post(account, reference: reference), for: .rows(token, request))
      case .conversation(let reference): load(.conversation(account, reference: reference), for: .rows(token, request))
      case .author(let reference): load(.pane(account, .author(reference)), for: .rows(token, request))
      case .list(let reference): load(.pane(account, .list(reference)), for: .rows(token, request))
      case .section(let section) where filter?.isUnread == true:
        let key = SessionKey(account: account, name: request.session)
        guard let session = sessions[key], session.isLoaded else {
          return load(.session(account, key.name), for: .unreadRows(token, request, section))
        }
        answer(request, token, from: section, readTo: session.places.current.readings[section])
      case .section(let section): answer(request, token, from: PaneContent(section).list(of: account))
      case .direct(let group): answer(request, token, from: .direct(account, group))
      case .search(let words):
        answer(request, token, from: try PaneContent(searching: words, field: "subject.search").list(of: account))
      }
    } catch {
      effects.append(.refuse(token, error))
    }
  }

  /// Handles the reading position of a session without views, which the store read for a request.
  mutating func readingLoaded(_ token: RequestToken, _ request: RowsRequest, _ section: Section, _ result: LoadResult) {
    do throws(EngineError) {
      guard let places = try request.places(in: result) else { return }
      answer(request, token, from: section, readTo: places.readings[section])
    } catch {
      effects.append(.refuse(token, error))
    }
  }

  /// Answers with the unread posts of a section.
  private mutating func answer(
    _ request: RowsRequest, _ token: RequestToken, from section: Section, readTo reading: Places.Reading?
  ) {
    answer(request, token, from: PaneContent(section).list(of: request.account), newerThan: reading?.anchor.key)
  }

  /// Answers from a list, opening it if needed. A filter that asks for unread posts limits them to those newer than
  /// `since`.
  private mutating func answer(
    _ request: RowsRequest, _ token: RequestToken, from base: ListKey, newerThan since: OrderKey? = nil
  ) {
    let filter = request.filter.isEmpty ? nil : try? PostFilter(typed: request.filter)
    let key = filter.map { ListKey.filtered(base, ListFilter(words: $0.canonical, since: since)) } ?? base
    if filter?.isUnread == true, lists.use.forgetOlder(than: key) { dropUnusedLists() }
    guard lists.use.enqueue(RowRequests.Waiting(token: token, request: request, list: key)) else {
      return effects.append(
        .refuse(token, EngineError(.resourceExhausted, "too many requests are waiting; try again", reason: .busy)))
    }
    if case .home = key {} else { lists.keepUnshown(key) }
    openList(key)
    loadMore(key)
    answerWaitingRows(of: key)
  }

  /// Answers the requests that waited for this list, as far as possible now.
  mutating func answerWaitingRows(of key: ListKey) {
    for entry in lists.use.requests.waiting(for: key) {
      let reader = RowReader(request: entry.request, time: labelTime, limits: limits)
      guard let answer = reader.answer(from: key, &lists, at: revision) else { continue }
      lists.use.noteAnswer(to: entry.token)
      deliver(answer, to: entry.token)
    }
  }

  /// Refuses the requests that waited for this list.
  mutating func refuseWaitingRows(of key: ListKey, _ error: EngineError) {
    for entry in lists.use.requests.waiting(for: key) {
      lists.use.noteAnswer(to: entry.token)
      effects.append(.refuse(entry.token, error))
    }
  }

  /// Answers a request whose subject the store has read.
  mutating func rowsLoaded(_ token: RequestToken, _ request: RowsRequest, _ result: LoadResult) {
    let reader = RowReader(request: request, time: labelTime, limits: limits)
    switch result {
    case .failed(let error): effects.append(.refuse(token, error))
    case .pane(let content): answer(request, token, from: content.list(of: request.account))
    case .post(let post, let authors, let revision):
      lists.cache.addAuthors(authors)
      deliver(reader.answer(with: [post], around: post.subject, &lists, at: revision), to: token)
    case .conversation(let subject, let posts, let authors, let revision):
      lists.cache.addAuthors(authors)
      deliver(reader.answer(with: posts, around: subject, &lists, at: revision), to: token)
    case .page, .session, .sessions, .facts, .navigation: return
    }
  }

  private mutating func deliver(_ answer: Result<RowsAnswer, EngineError>, to token: RequestToken) {
    switch answer {
    case .success(let rows): effects.append(.answerRows(token, rows))
    case .failure(let error): effects.append(.refuse(token, error))
    }
  }
}
