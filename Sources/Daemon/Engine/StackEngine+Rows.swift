internal import Dates
internal import OrderedCollections
internal import Posts
internal import Search
internal import ViewState

extension StackEngine {
  /// Answers a request for rows, now or when the store has brought them.
  mutating func rowsRequested(_ request: RowsRequest, _ token: RequestToken) {
    let account = request.account
    var filter: PostFilter?
    if !request.filter.isEmpty {
      do throws(EngineError) {
        filter = try self.filter(of: request)
      } catch {
        return effects.append(.refuse(token, error))
      }
    }
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
      do throws(EngineError) {
        answer(request, token, from: try PaneContent(searching: words, field: "search").list(of: account))
      } catch {
        effects.append(.refuse(token, error))
      }
    }
  }

  private func filter(of request: RowsRequest) throws(EngineError) -> PostFilter {
    let filter = try PostFilter(typed: request.filter)
    let isList: Bool =
      switch request.subject {
      case .section(let section): PaneContent(section).isFilterable
      case .author, .list, .search: true
      case .post, .conversation, .direct: false
      }
    guard isList else {
      throw EngineError(
        .invalidArgument, "this cannot be limited: timelines, mentions, lists, profiles and searches can",
        field: "filter")
    }
    if filter.isUnread {
      guard case .section(let section) = request.subject, section.isRead else {
        throw .unreadElsewhere(.invalidArgument, field: "filter")
      }
    }
    return filter
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
    guard waitingRows.count < limits.waitingRowRequests else {
      return effects.append(
        .refuse(token, EngineError(.resourceExhausted, "too many requests wait; try again", reason: .busy)))
    }
    waitingRows.append((token, request, key))
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
    guard waitingRows.contains(where: { $0.key == key }) else { return }
    let waiting = waitingRows
    waitingRows = []
    for entry in waiting {
      if entry.key == key, answerFromList(entry.request, entry.token, key) {
        lists.use.answered(key)
      } else {
        waitingRows.append(entry)
      }
    }
  }

  /// Refuses what waited for this list.
  mutating func refuseWaitingRows(of key: ListKey, _ error: EngineError) {
    for entry in waitingRows where entry.key == key {
      effects.append(.refuse(entry.token, error))
      lists.use.answered(key)
    }
    waitingRows.removeAll { $0.key == key }
  }

  /// Answers from the loaded part of a list; false where what is asked for is not loaded yet.
  private mutating func answerFromList(_ request: RowsRequest, _ token: RequestToken, _ key: ListKey) -> Bool {
    guard var list = lists[key], !list.isLackingFacts else { return false }
    let count = list.count
    let isOlder = !request.newer
    // What a list that has its oldest row on top begins with is loaded last.
    guard list.isNewestFirst || list.isComplete else { return false }
    var from = request.newer ? count : -1
    // Rows from this one on are beyond it, where it is no row of its own.
    var isBetween = false
    if let key = request.cursor(in: list) {
      guard list.hasLoaded(key) else { return false }
      from = list.displayedIndex(ofCursor: key)
      isBetween = from == count || list.key(displayed: from) != key
    } else if let anchor = request.anchor {
      guard let index = list.displayedIndex(of: anchor) else {
        guard list.isComplete, list.isCurrent else { return false }
        effects.append(
          .refuse(token, EngineError(.notFound, "there is no row \(anchor.rawValue) in it", field: "anchor_row")))
        return true
      }
      from = index
    }
    let range: Range<Int>
    if isOlder {
      let first = isBetween ? from : from + 1
      range = first..<max(first, min(count, first + request.count))
      guard range.count == request.count || list.isComplete else { return false }
    } else {
      guard request.anchor != nil || list.isComplete else { return false }
      range = max(0, from - request.count)..<from
    }
    // A list that is being read again shows what it had, but an answer is of its revision: it waits for what it is
    // about.
    let last = isOlder ? range.upperBound - 1 : min(from, count - 1)
    let reaches = last >= 0 && list.cursor.map { $0 <= list.key(displayed: last) } ?? false
    let isRead = reaches && (request.newer || range.count == request.count)
    guard list.isCurrent || isRead else { return false }
    let rows = placed(range, of: &list, request)
    let hasMore = rows.count < range.count || (isOlder ? range.upperBound < list.rowCount : range.lowerBound > 0)
    lists.open.putBack(list)
    answer(token, rows, hasMore: hasMore, revision: revision)
    return true
  }

  /// What a request names has come.
  mutating func rowsLoaded(_ token: RequestToken, _ request: RowsRequest, _ result: LoadResult) {
    switch result {
    case .failed(let error): effects.append(.refuse(token, error))
    case .pane(let content): answer(request, token, from: content.list(of: request.account))
    case .post(let post, let authors, let revision):
      lists.cache.learn(authors)
      answer(request, token, with: [post], around: post.subject, revision)
    case .conversation(let subject, let posts, let authors, let revision):
      lists.cache.learn(authors)
      answer(request, token, with: posts, around: subject, revision)
    case .page, .session, .sessions, .facts, .navigation: return
    }
  }

  /// Answers with a post, or with the conversation around it.
  private mutating func answer(
    _ request: RowsRequest, _ token: RequestToken, with posts: [StoredPost], around subject: PostID, _ revision: UInt64
  ) {
    lists.visibility.open(request.account)
    _ = lists.visibility.admit(posts, to: request.account)
    var list = PostList(key: .conversation(request.account, posts.count == 1 ? posts[0].id : subject), limits: limits)
    list.replace(with: posts)
    var range = 0..<list.count
    if let anchor = request.anchor {
      guard let index = list.displayedIndex(of: anchor) else {
        return effects.append(
          .refuse(token, EngineError(.notFound, "there is no row \(anchor.rawValue) in it", field: "anchor_row")))
      }
      range = request.newer ? 0..<index : index + 1..<range.upperBound
    }
    let taken = request.newer ? range.suffix(request.count) : range.prefix(request.count)
    let rows = placed(taken, of: &list, request)
    let indent = layoutKey(request.layout).indent
    answer(token, rows, hasMore: rows.count < range.count, revision: revision, indent: indent)
  }

  /// The rows of a range, laid out: those nearest to where the request begins, as far as they fit into an answer; at
  /// least one.
  private mutating func placed(
    _ range: Range<Int>, of list: inout PostList, _ request: RowsRequest
  ) -> [PlacedRow] {
    let layout = request.layout
    let key = layoutKey(layout)
    let days = layout.hasDayLines && list.tellsTimes ? DayRule(of: list, in: request.zone, height: key.dayHeight) : nil
    let locale = Locale.lookup(layout.locale).locale
    var rows: [PlacedRow] = []
    var bytes = 0
    for index in request.newer ? Array(range.reversed()) : Array(range) where bytes < limits.windowBytes {
      let row = lists.row(displayed: index, of: &list, key)
      bytes += row.encoded.count
      rows.append(
        list.placed(row, displayed: index, layout.timeStyle.labelStyle, days) { createdAt, style in
          label(for: createdAt, now: labelTime.instant, zone: request.zone, style: style, locale: locale).text
        })
    }
    return request.newer ? rows.reversed() : rows
  }

  private mutating func answer(
    _ token: RequestToken, _ rows: [PlacedRow], hasMore: Bool, revision: UInt64, indent: Int = 0
  ) {
    effects.append(
      .answerRows(
        token,
        RowsAnswer(
          rows: rows, revision: revision, hasMore: hasMore, labelsAtMilliseconds: labelTime.instant.milliseconds,
          indent: indent)
      ))
  }

  /// How rows are laid out for a request: as in the only pane of a view.
  private func layoutKey(_ layout: LayoutParameters) -> LayoutKey {
    LayoutKey(layout, paneWidth: PaneGeometry(layout, panes: 1).widths[0])
  }
}

extension RowsRequest {
  /// The key from which rows are asked for; nil where only a number is known of it, or the list is not in the order of
  /// keys.
  fileprivate func cursor(in list: PostList) -> OrderKey? {
    guard let anchor, let anchorAt, list.order == nil, list.tellsTimes else { return nil }
    return OrderKey(createdAt: anchorAt, id: anchor)
  }
}

extension PostList {
  /// The display index of the row with a key, or of the first row below where it would stand. O(log rows).
  fileprivate mutating func displayedIndex(ofCursor key: OrderKey) -> Int {
    let rank = columns.rank(lowerBound: key)
    guard isNewestFirst else { return rank }
    return rank < columns.count && columns.key(at: rank) == key ? columns.count - 1 - rank : columns.count - rank
  }
}
