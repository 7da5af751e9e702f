internal import Dates
internal import Posts
internal import Search
internal import ViewState

/// Answers a request for rows from what is loaded.
struct RowReader {
  let request: RowsRequest
  let time: LabelTime
  let limits: EngineLimits

  /// The answer from the loaded part of a list; nil where what is asked for is not loaded yet.
  func answer(
    from key: ListKey, _ lists: inout ListTable, at revision: UInt64
  ) -> Result<RowsAnswer, EngineError>? {
    guard var list = lists[key], !list.known.isLacking else { return nil }
    // What a list that has its oldest row on top begins with is loaded last.
    guard list.isNewestFirst || list.isComplete else { return nil }
    let start: (index: Int, isBetween: Bool)
    switch begin(in: &list) {
    case .at(let index, let isBetween): start = (index, isBetween)
    case .notLoaded: return nil
    case .missing(let error): return .failure(error)
    }
    guard let range = range(from: start.index, isBetween: start.isBetween, in: list) else { return nil }
    // A list that is being read again shows what it had, but an answer is of its revision: it waits for what it is
    // about.
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

  /// The answer with a post, or with the conversation around it.
  func answer(
    with posts: [StoredPost], around subject: PostID, _ lists: inout ListTable, at revision: UInt64
  ) -> Result<RowsAnswer, EngineError> {
    lists.access.open(request.account)
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

  // MARK: Which rows

  private enum Start {
    /// The row from which rows are asked for, which `isBetween` two where it is no row of its own: those from this one
    /// on are beyond it.
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

  /// The rows that are asked for; nil where they are not loaded yet.
  private func range(from: Int, isBetween: Bool, in list: PostList) -> Range<Int>? {
    guard request.newer else {
      let first = isBetween ? from : from + 1
      let range = first..<max(first, min(list.count, first + request.count))
      return range.count == request.count || list.isComplete ? range : nil
    }
    return request.anchor != nil || list.isComplete ? max(0, from - request.count)..<from : nil
  }

  private func missing(_ anchor: PostID) -> EngineError {
    EngineError(.notFound, "there is no row \(anchor.rawValue) in it", field: "anchor_row")
  }

  // MARK: Laid out

  /// The rows of a range, laid out: those nearest to where the request begins, as far as they fit into an answer; at
  /// least one.
  private func placed(
    _ range: Range<Int>, of list: inout PostList, _ lists: inout ListTable
  ) -> [PlacedRow] {
    let layout = request.layout
    let key = layoutKey
    let days = layout.hasDayLines && list.tellsTimes ? DayRule(of: list, in: request.zone, height: key.dayHeight) : nil
    let locale = Locale.lookup(layout.locale).locale
    var rows: [PlacedRow] = []
    var bytes = 0
    for index in request.newer ? Array(range.reversed()) : Array(range) where bytes < limits.windows.bytes {
      let row = lists.row(displayed: index, of: &list, key)
      bytes += row.encoded.count
      rows.append(
        list.placed(row, displayed: index, layout.timeStyle.labelStyle, days) { createdAt, style in
          label(for: createdAt, now: time.instant, zone: request.zone, style: style, locale: locale).text
        })
    }
    return request.newer ? rows.reversed() : rows
  }

  private func answer(_ rows: [PlacedRow], hasMore: Bool, at revision: UInt64, indent: Int = 0) -> RowsAnswer {
    RowsAnswer(
      rows: rows, revision: revision, hasMore: hasMore, labelsAtMilliseconds: time.instant.milliseconds, indent: indent)
  }

  /// How rows are laid out: as in the only pane of a view.
  private var layoutKey: LayoutKey {
    LayoutKey(request.layout, paneWidth: PaneGeometry(request.layout, panes: 1).widths[0])
  }
}

extension RowsRequest {
  /// What the rows are limited to; nil for nothing.
  ///
  /// - Throws: INVALID_ARGUMENT for what is no filter, and where there is nothing to limit.
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
        .invalidArgument, "this cannot be limited: timelines, mentions, lists, profiles and searches can",
        field: "filter")
    }
    if read.isUnread {
      guard case .section(let section) = subject, section.isRead else {
        throw .unreadElsewhere(.invalidArgument, field: "filter")
      }
    }
    return read
  }

  /// The key from which rows are asked for; nil where only a number is known of it, or the list is not in the order of
  /// keys.
  fileprivate func cursor(in list: PostList) -> OrderKey? {
    guard let anchor, let anchorAt, list.order == nil, list.tellsTimes else { return nil }
    return OrderKey(createdAt: anchorAt, id: anchor)
  }
}
