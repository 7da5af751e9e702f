internal import ClientCore
internal import Messages
internal import ViewState

/// Reads rows page by page, so that a timeline of any length costs the memory of one page.
struct TimelineReader {
  /// Rows a page; the most that GetRows gives.
  static let pageRows = 200

  let link: DaemonLink
  let layout: LayoutParameters
  private let context: ClientContext

  /// Reads over a connection, as a context wants rows laid out.
  init(_ context: ClientContext, link: DaemonLink) {
    self.context = context
    self.link = link
    layout = context.layout
  }

  /// One page of the timeline, newest first, below row `anchor` (0: from the newest on).
  func page(below anchor: UInt64, count: Int = pageRows) throws(ClientFailure) -> GetRowsResponse {
    var request = GetRowsRequest(layout: layout)
    request.anchorRow = anchor
    request.count = min(count, Self.pageRows)
    return try answer(request)
  }

  private func answer(_ request: GetRowsRequest) throws(ClientFailure) -> GetRowsResponse {
    let answer: GetRowsResponse = try link.call(Method.getRows, request)
    context.note(locale: answer.locale)
    return answer
  }

  /// The row that a person names by its number or by `source:native-id`.
  func row(named reference: String) throws(ClientFailure) -> PlacedRow {
    var request = GetRowsRequest(layout: layout)
    request.subject = .post(reference)
    let answer = try answer(request)
    guard let row = answer.rows.first else { throw ClientFailure(.notFound, "there is no post \(reference)") }
    return row
  }

  /// Gives `body` the rows of a conversation, oldest first.
  func conversation(
    around reference: String, _ body: (PlacedRow) throws(ClientFailure) -> Void
  ) throws(ClientFailure) {
    var request = GetRowsRequest(layout: layout)
    request.subject = .conversation(reference)
    request.direction = .newer
    request.count = Self.pageRows
    while true {
      let answer = try answer(request)
      for row in answer.rows { try body(row) }
      guard answer.hasMore, let last = answer.rows.last else { return }
      request.anchorRow = last.rowID
    }
  }

  /// Gives `body` the rows below `anchor` down to, and without, the first that `isWanted` refuses, at most `limit`, newest
  /// first. True if there may be more.
  @discardableResult
  func forEachRow(
    below anchor: UInt64, limit: Int, while isWanted: (PlacedRow) -> Bool = { _ in true },
    _ body: (PlacedRow) throws(ClientFailure) -> Void
  ) throws(ClientFailure) -> Bool {
    var anchor = anchor
    var left = limit
    while left > 0 {
      let answer = try page(below: anchor, count: left)
      for row in answer.rows {
        guard isWanted(row) else { return false }
        try body(row)
        left -= 1
      }
      guard answer.hasMore, let last = answer.rows.last else { return false }
      anchor = last.rowID
    }
    return true
  }

  /// As `forEachRow`, but oldest first. Rows are read twice where they are more than a page, and never held: the first
  /// reading remembers where each page begins.
  func forEachRowOldestFirst(
    below anchor: UInt64, limit: Int, while isWanted: (PlacedRow) -> Bool,
    _ body: (PlacedRow) throws(ClientFailure) -> Void
  ) throws(ClientFailure) {
    var anchor = anchor
    var left = limit
    var pages: [(anchor: UInt64, count: Int)] = []
    var newest: [PlacedRow]?
    while left > 0 {
      let answer = try page(below: anchor, count: left)
      let rows = Array(answer.rows.prefix(while: isWanted))
      if newest == nil { newest = rows } else { pages.append((anchor, rows.count)) }
      left -= rows.count
      guard answer.hasMore, rows.count == answer.rows.count, let last = rows.last else { break }
      anchor = last.rowID
    }
    for (anchor, count) in pages.reversed() where count > 0 {
      for row in try page(below: anchor, count: count).rows.reversed() { try body(row) }
    }
    for row in (newest ?? []).reversed() { try body(row) }
  }
}
