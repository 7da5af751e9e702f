internal import Dates
internal import OrderedCollections
internal import Posts
internal import Search
internal import ViewState

extension StackEngine {
  /// Answers a request for rows, now or when the store has brought them.
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
          return load(.session(key), for: .unreadRows(token, request, section))
        }
        answer(request, token, from: section, readTo: session.places.current.readings[section])
      case .section(let section): answer(request, token, from: PaneContent(section).list(of: account))
      case .direct(let circle): answer(request, token, from: .direct(account, circle))
      case .search(let words):
        answer(request, token, from: try PaneContent(searching: words, field: "search").list(of: account))
      }
    } catch {
      effects.append(.refuse(token, error))
    }
  }

  /// How far a session that nobody looks at has read has come from the store.
  mutating func readingLoaded(_ token: RequestToken, _ request: RowsRequest, _ section: Section, _ result: LoadResult) {
    switch result {
    case .failed(let error): effects.append(.refuse(token, error))
    case .session(let saved):
      let isMain = SessionKey(account: request.account, name: request.session).name == SessionKey.mainName
      guard saved.bytes != nil || saved.places != nil || isMain else {
        let missing = EngineError(.notFound, "there is no session \"\(request.session)\"", field: "session")
        return effects.append(.refuse(token, missing))
      }
      let places = saved.places.map { Places(decoding: $0, revision: saved.placesRevision) }
      answer(request, token, from: section, readTo: places?.readings[section])
    case .page, .conversation, .post, .pane, .sessions, .facts, .navigation: return
    }
  }

  /// Answers with what is unread of a section.
  private mutating func answer(
    _ request: RowsRequest, _ token: RequestToken, from section: Section, readTo reading: Places.Reading?
  ) {
    answer(request, token, from: PaneContent(section).list(of: request.account), newerThan: reading?.anchor.key)
  }

  /// Answers from a list, which is opened for it where it is not open; where the filter asks for that, what is newer
  /// than `since`.
  private mutating func answer(
    _ request: RowsRequest, _ token: RequestToken, from base: ListKey, newerThan since: OrderKey? = nil
  ) {
    let filter = request.filter.isEmpty ? nil : try? PostFilter(typed: request.filter)
    let key = filter.map { ListKey.filtered(base, ListFilter(words: $0.canonical, since: since)) } ?? base
    if filter?.isUnread == true { forgetOlder(than: key) }
    guard requests.add(RowRequests.Waiting(token: token, request: request, list: key)) else {
      return effects.append(
        .refuse(token, EngineError(.resourceExhausted, "too many requests wait; try again", reason: .busy)))
    }
    lists.use.await(key)
    if case .home = key {} else { lists.keepUnshown(key) }
    openList(key)
    loadMore(key)
    answerWaitingRows(of: key)
  }

  /// What was unread before more was read is another list, which nobody asks for any more.
  private mutating func forgetOlder(than key: ListKey) {
    guard case .filtered(let base, let filter) = key else { return }
    let isForgotten = lists.use.forget { other in
      guard case .filtered(base, let former) = other else { return false }
      return former.words == filter.words && former.since != filter.since
    }
    if isForgotten { dropUnusedLists() }
  }

  /// Answers what waited for this list, as far as it can be answered now.
  mutating func answerWaitingRows(of key: ListKey) {
    for entry in requests.waiting(for: key) {
      let reader = RowReader(request: entry.request, time: labelTime, limits: limits)
      guard let answer = reader.answer(from: key, &lists, at: revision) else { continue }
      requests.remove(entry.token)
      lists.use.answered(key)
      tell(entry.token, answer)
    }
  }

  /// Refuses what waited for this list.
  mutating func refuseWaitingRows(of key: ListKey, _ error: EngineError) {
    for entry in requests.waiting(for: key) {
      requests.remove(entry.token)
      lists.use.answered(key)
      effects.append(.refuse(entry.token, error))
    }
  }

  /// What a request names has come.
  mutating func rowsLoaded(_ token: RequestToken, _ request: RowsRequest, _ result: LoadResult) {
    let reader = RowReader(request: request, time: labelTime, limits: limits)
    switch result {
    case .failed(let error): effects.append(.refuse(token, error))
    case .pane(let content): answer(request, token, from: content.list(of: request.account))
    case .post(let post, let authors, let revision):
      lists.cache.learn(authors)
      tell(token, reader.answer(with: [post], around: post.subject, &lists, at: revision))
    case .conversation(let subject, let posts, let authors, let revision):
      lists.cache.learn(authors)
      tell(token, reader.answer(with: posts, around: subject, &lists, at: revision))
    case .page, .session, .sessions, .facts, .navigation: return
    }
  }

  private mutating func tell(_ token: RequestToken, _ answer: Result<RowsAnswer, EngineError>) {
    switch answer {
    case .success(let rows): effects.append(.answerRows(token, rows))
    case .failure(let error): effects.append(.refuse(token, error))
    }
  }
}
