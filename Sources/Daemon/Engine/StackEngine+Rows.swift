internal import Dates
internal import OrderedCollections
internal import Posts
internal import ViewState

extension StackEngine {
  /// Answers a request for rows, now or when the store has brought them.
  mutating func rowsRequested(_ request: RowsRequest, _ token: RequestToken) {
    switch request.subject {
    case .timeline:
      let key = ListKey.home(request.account)
      openList(key)
      if answerTimeline(request, token) { return }
      guard waitingRows.count < limits.waitingRowRequests else {
        return effects.append(.refuse(token, EngineError(.resourceExhausted, "too many requests wait; try again", reason: .busy)))
      }
      waitingRows.append((token, request))
    case .post(let reference): load(.post(request.account, reference: reference), for: .rows(token, request))
    case .conversation(let reference):
      load(.conversation(request.account, reference: reference), for: .rows(token, request))
    }
  }

  /// Answers what waited for this timeline, as far as it can be answered now.
  mutating func answerWaitingRows(of key: ListKey) {
    let waiting = waitingRows
    waitingRows = []
    for entry in waiting {
      if ListKey.home(entry.request.account) == key, answerTimeline(entry.request, entry.token) { continue }
      waitingRows.append(entry)
    }
  }

  /// Answers from the loaded part of a timeline; false where what is asked for is not loaded yet.
  private mutating func answerTimeline(_ request: RowsRequest, _ token: RequestToken) -> Bool {
    let key = ListKey.home(request.account)
    guard var list = lists[key] else { return false }
    let count = list.columns.count
    var from = request.newer ? count : -1
    if let anchor = request.anchor {
      guard let index = list.displayedIndex(of: anchor) else {
        guard list.isComplete else { return false }
        let message = "there is no row \(anchor.rawValue) in the timeline"
        effects.append(.refuse(token, EngineError(.notFound, message)))
        return true
      }
      from = index
    }
    let range: Range<Int>
    if request.newer {
      guard request.anchor != nil || list.isComplete else { return false }
      range = max(0, from - request.count)..<from
    } else {
      range = from + 1..<min(count, from + 1 + request.count)
      guard range.count == request.count || list.isComplete else { return false }
    }
    let rows = placed(range, of: &list, request)
    let hasMore =
      rows.count < range.count || (request.newer ? range.lowerBound > 0 : range.upperBound < list.rowCount)
    lists[key] = list
    answer(token, rows, hasMore: hasMore, revision: revision)
    return true
  }

  /// A post or a conversation has come for a request.
  mutating func rowsLoaded(_ token: RequestToken, _ request: RowsRequest, _ result: LoadResult) {
    var posts: [StoredPost]
    var read: UInt64
    switch result {
    case .failed(let error): return effects.append(.refuse(token, error))
    case .post(let post, let authors, let revision):
      cache.learn(authors)
      (posts, read) = ([post], revision)
    case .conversation(_, let all, let authors, let revision):
      cache.learn(authors)
      (posts, read) = (all, revision)
    case .page, .session, .pane, .sessions: return
    }
    var list = PostList(key: .conversation(request.account, PostID(0)), chunkCapacity: limits.chunkCapacity)
    list.replace(with: posts)
    posts = []
    var range = 0..<list.columns.count
    if let anchor = request.anchor {
      guard let index = list.displayedIndex(of: anchor) else {
        return effects.append(.refuse(token, EngineError(.notFound, "there is no row \(anchor.rawValue) in it")))
      }
      range = request.newer ? 0..<index : index + 1..<range.upperBound
    }
    let taken = request.newer ? range.suffix(request.count) : range.prefix(request.count)
    let rows = placed(taken, of: &list, request)
    answer(token, rows, hasMore: rows.count < range.count, revision: read)
  }

  /// The rows of a range, laid out: those nearest to where the request begins, as far as they fit into an answer; at least one.
  private mutating func placed(
    _ range: Range<Int>, of list: inout PostList, _ request: RowsRequest
  ) -> [PlacedRow] {
    let layout = request.layout
    let key = LayoutKey(layout, paneWidth: PaneGeometry(layout, panes: 1).widths[0])
    let days = layout.hasDayLines ? list.days(in: request.zone, height: key.dayHeight) : nil
    let locale = Locale.lookup(layout.locale).locale
    var rows: [PlacedRow] = []
    var bytes = 0
    for index in request.newer ? Array(range.reversed()) : Array(range) where bytes < limits.windowBytes {
      let row = cache.row(list.post(displayed: index), account: request.account, key: key)
      bytes += row.encoded.count
      rows.append(
        list.placed(row, displayed: index, layout.timeStyle.labelStyle, days) { createdAt, style in
          label(for: createdAt, now: labelNow, zone: request.zone, style: style, locale: locale).text
        })
    }
    return request.newer ? rows.reversed() : rows
  }

  private mutating func answer(
    _ token: RequestToken, _ rows: [PlacedRow], hasMore: Bool, revision: UInt64
  ) {
    effects.append(
      .answerRows(
        token, RowsAnswer(rows: rows, revision: revision, hasMore: hasMore, labelsAtMilliseconds: labelNow.milliseconds)))
  }
}
