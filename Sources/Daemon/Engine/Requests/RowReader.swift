internal import Dates
internal import Posts
internal import Search
internal import ViewState

/// Answers a request for rows from loaded lists.
struct RowReader {
  let request: RowsRequest
  let time: LabelTime
  let limits: EngineLimits

  /// Returns the answer from the loaded part of a list; nil if the requested rows are not loaded yet.
  func answer(
    from key: ListKey, _ lists: inout ListTable, at revision: UInt64
  ) -> Result<RowsAnswer, EngineError>? {
    guard var list = lists[key], !list.known.isLacking else { return nil }
    list.unfolded = []
    // A list with its oldest row on top loads that row last.
    guard list.isNewestFirst || list.isComplete else { return nil }
    let start: (index: Int, isBetween: Bool)
    switch begin(in: &list) {
    case .at(let index, let isBetween): start = (index, isBetween)
    case .notLoaded: return nil
    case .missing(let error): return .failure(error)
    }
    guard let range = range(from: start.index, isBetween: start.isBetween, in: list) else { return nil }
    // During a reload, views keep seeing the old rows. An answer, however, states a revision, so it waits until its
    // range has been read again.
    let isOlder = !request.newer
    let last = isOlder ? range.upperBound - 1 : min(start.index, list.count - 1)
    let reaches = last >= 0 && list.cursor.map { $0 <= list.key(displayed: last) } ?? false
    let isRead = reaches && (request.newer || range.count == request.count)
    guard list.isCurrent || isRead else { return nil }
    let rows = placed(range, of: &list, &lists)
    let hasMore = rows.count < range.count || (isOlder ? range.upperBound < list.rowCount : range.lowerBound > 0)
    lists.open.putBack(list)
    return .success(answer(rows, hasMore: hasMore, at: revision))
  }

  /// Returns the answer with a post or with the conversation around it.
  func answer(
    with posts: [StoredPost], around subject: PostID, _ lists: inout ListTable, at revision: UInt64
  ) -> Result<RowsAnswer, EngineError> {
    lists.access.trackAccount(request.account)
    _ = lists.access.admit(posts, to: request.account)
    var list = PostList(key: .conversation(request.account, posts.count == 1 ? posts[0].id : subject), limits: limits)
    list.replace(with: posts)
    var range = 0..<list.count
    if let anchor = request.anchor {
      guard let index = list.displayedIndex(of: anchor) else { return .failure(missing(anchor)) }
      range = request.newer ? 0..<index : index + 1..<range.upperBound
    }
    let taken = request.newer ? range.suffix(request.count) : range.prefix(request.count)
    let rows = placed(taken, of: &list, &lists)
    return .success(answer(rows, hasMore: rows.count < range.count, at: revision, indent: layoutKey.indent))
  }

  // MARK: Range

  private enum Start {
    /// The row beyond which rows are requested. If `isBetween`, the anchor lies between two rows, and this is the first
    /// row below it.
    case at(Int, isBetween: Bool)
    case notLoaded
    case missing(EngineError)
  }

  private func begin(in list: inout PostList) -> Start {
    let end = request.newer ? list.count : -1
    if let key = request.cursor(in: list) {
      guard list.hasLoaded(key) else { return .notLoaded }
      let index = list.displayedIndex(ofCursor: key)
      return .at(index, isBetween: index == list.count || list.key(displayed: index) != key)
    }
    guard let anchor = request.anchor else { return .at(end, isBetween: false) }
    if let index = list.displayedIndex(of: anchor) { return .at(index, isBetween: false) }
    return list.isComplete && list.isCurrent ? .missing(missing(anchor)) : .notLoaded
  }

  /// Returns the display indexes of the requested rows; nil if they are not loaded yet.
  private func range(from: Int, isBetween: Bool, in list: PostList) -> Range<Int>? {
    guard request.newer else {
      let first = isBetween ? from : from + 1
      let range = first..<max(first, min(list.count, first + request.count))
      return range.count == request.count || list.isComplete ? range : nil
    }
    return request.anchor != nil || list.isComplete ? max(0, from - request.count)..<from : nil
  }

  private func missing(_ anchor: PostID) -> EngineError {
    EngineError(.notFound, "there is no row \(anchor.rawValue) in this list", field: "anchor_row")
  }

  // MARK: Layout

  /// Returns the rows of a range, laid out: as many as fit into an answer, nearest to the start of the request first,
  /// but at least one.
  private func placed(
    _ range: Range<Int>, of list: inout PostList, _ lists: inout ListTable
  ) -> [PlacedRow] {
    let layout = request.layout
    let key = layoutKey
    let days = layout.hasDayLines && list.showsTimes ? DayRule(of: list, in: request.zone, height: key.dayHeight) : nil
    let locale = Locale.lookup(layout.locale).locale
    var rows: [PlacedRow] = []
    var bytes = 0
    for index in request.newer ? Array(range.reversed()) : Array(range) where bytes < limits.windows.bytes {
      let row = lists.row(displayed: index, of: &list, key)
      bytes += row.encoded.count
      rows.append(
        list.placed(row, displayed: index, layout.labelStyle(underDays: days != nil), days) { createdAt, style in
          label(for: createdAt, now: time.instant, zone: request.zone, style: style, locale: locale).text
        })
    }
    return request.newer ? rows.reversed() : rows
  }

  private func answer(_ rows: [PlacedRow], hasMore: Bool, at revision: UInt64, indent: Int = 0) -> RowsAnswer {
    RowsAnswer(
      rows: rows, revision: revision, hasMore: hasMore, labelsAtMilliseconds: time.instant.milliseconds, indent: indent)
  }

  /// The layout of rows: that of the only pane of a view.
  private var layoutKey: LayoutKey {
    LayoutKey(request.layout, paneWidth: PaneGeometry(request.layout, panes: 1).widths[0])
  }
}

extension RowsRequest {
  /// Returns the filter for the rows; nil if there is none.
  ///
  /// - Throws: INVALID_ARGUMENT for an invalid filter, and for a subject that cannot be filtered.
  func postFilter() throws(EngineError) -> PostFilter? {
    guard !filter.isEmpty else { return nil }
    let read = try PostFilter(typed: filter)
    let isList: Bool =
      switch subject {
      case .section(let section): PaneContent(section).isFilterable
      case .author, .list, .search: true
      case .post, .conversation, .direct: false
      }
    guard isList else {
      throw EngineError(
        .invalidArgument, "only timelines, mentions, lists, profiles and searches can be filtered",
        field: "filter")
    }
    if read.isUnread {
      guard case .section(let section) = subject, section.isRead else {
        throw .unreadElsewhere(.invalidArgument, field: "filter")
      }
    }
    return read
  }

  /// Returns the places of the session that decides what is unread, as the store has them; nil for the result of another
  /// load.
  ///
  /// - Throws: NOT_FOUND if there is no such session, and the error of a load that failed.
  func places(in result: LoadResult) throws(EngineError) -> Places? {
    switch result {
    case .failed(let error): throw error
    case .session(let saved):
      let isMain = SessionKey(account: account, name: session).name == SessionKey.mainName
      guard saved.bytes != nil || saved.places != nil || isMain else {
        throw EngineError(.notFound, "there is no session \"\(session)\"", field: "session")
      }
      return saved.places.map { Places(decoding: $0, revision: saved.placesRevision) } ?? Places()
    case .page, .conversation, .post, .pane, .sessions, .facts, .navigation: return nil
    }
  }

  /// Returns the key beyond which rows are requested; nil if the request gives only an ID, or if the list is not in key
  /// order.
  fileprivate func cursor(in list: PostList) -> OrderKey? {
    guard let anchor, let anchorAt, list.order == nil, list.showsTimes else { return nil }
    return OrderKey(createdAt: anchorAt, id: anchor)
  }
}
