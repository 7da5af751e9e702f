internal import ClientCore
internal import Messages
internal import ViewState

/// Reads the rows of a list page by page, so that a timeline of any length needs the memory of one page.
struct RowPager {
  /// The rows of a page; the maximum of GetRows.
  static let pageRows = 200

  let link: DaemonLink
  private let context: ClientContext
  private let subject: Subject
  private let filter: String
  private let session: String

  /// Creates a reader of a list over a connection, with the layout of a context.
  init(
    _ context: ClientContext, link: DaemonLink, of subject: Subject, filter: String = "",
    session: String = ""
  ) {
    self.context = context
    self.link = link
    self.subject = subject
    self.filter = filter
    self.session = session
  }

  /// Reads one page, newest first, strictly below `anchor`, even if its row has been deleted; nil starts at the newest
  /// row.
  func page(below anchor: RowPosition?, count: Int = pageRows) throws(ClientFailure) -> GetRowsResponse {
    guard case .direct = subject else { return try getRows(subject, anchor: anchor, .down, count: count) }
    // The newest row of a direct conversation is at the bottom: pages are read upwards, with their oldest row first.
    var response = try getRows(subject, anchor: anchor, .up, count: count)
    response.rows.reverse()
    return response
  }

  private func getRows(
    _ subject: Subject, anchor: RowPosition? = nil, _ direction: GetRowsRequest.Direction, count: Int
  ) throws(ClientFailure) -> GetRowsResponse {
    var request = GetRowsRequest(layout: context.layout)
    request.subject = subject
    request.anchorRow = anchor?.rowID ?? 0
    request.anchorAtMilliseconds = anchor?.createdAtMilliseconds ?? 0
    request.direction = direction
    request.count = min(count, Self.pageRows)
    if case .post = subject {
      request.layout.showsWholeTexts = true
    } else {
      (request.filter, request.session) = (filter, session)
    }
    let response: GetRowsResponse = try link.call(Method.getRows, request)
    context.warnOfMissingLanguage(response.locale)
    return response
  }

  /// Returns the row with an ID or `source:native-id`, in the list or not.
  func row(named reference: String) throws(ClientFailure) -> PlacedRow {
    let response = try getRows(.post(reference), .down, count: 1)
    guard let row = response.rows.first else { throw ClientFailure(.notFound, "there is no post \(reference)") }
    return row
  }

  /// Returns the first row of a list that is read from top to bottom; nil if it has none.
  func topRow() throws(ClientFailure) -> PlacedRow? {
    try getRows(subject, .down, count: 1).rows.first
  }

  /// Calls `body` with every row of a list that is read from top to bottom, such as a conversation, and the indentation
  /// of a level of its tree.
  func forEachRowFromTop(_ body: (PlacedRow, Int) throws(ClientFailure) -> Void) throws(ClientFailure) {
    var anchor: RowPosition?
    while true {
      let response = try getRows(subject, anchor: anchor, .down, count: Self.pageRows)
      for row in response.rows { try body(row, response.indent) }
      guard response.hasMore, let last = response.rows.last else { return }
      anchor = last.position
    }
  }

  /// Calls `body` with the rows below `anchor`, newest first, at most `limit`, up to but not including the first that
  /// `isWanted` refuses. Returns true if there may be more.
  @discardableResult
  func forEachRow(
    below anchor: RowPosition?, limit: Int, while isWanted: (PlacedRow) -> Bool = { _ in true },
    _ body: (PlacedRow) throws(ClientFailure) -> Void
  ) throws(ClientFailure) -> Bool {
    var anchor = anchor
    var left = limit
    while left > 0 {
      let page = try page(below: anchor, count: left)
      for row in page.rows {
        guard isWanted(row) else { return false }
        try body(row)
        left -= 1
      }
      guard page.hasMore, let last = page.rows.last else { return false }
      anchor = last.position
    }
    return true
  }

  /// Like `forEachRow`, but oldest first. If there is more than one page, rows are read twice instead of being held: the
  /// first pass records where each page begins.
  func forEachRowOldestFirst(
    below anchor: RowPosition?, limit: Int, while isWanted: (PlacedRow) -> Bool,
    _ body: (PlacedRow) throws(ClientFailure) -> Void
  ) throws(ClientFailure) {
    var anchor = anchor
    var left = limit
    var pages: [(anchor: RowPosition?, count: Int)] = []
    var newest: [PlacedRow]?
    while left > 0 {
      let page = try page(below: anchor, count: left)
      let rows = Array(page.rows.prefix(while: isWanted))
      if newest == nil { newest = rows } else { pages.append((anchor, rows.count)) }
      left -= rows.count
      guard page.hasMore, rows.count == page.rows.count, let last = rows.last else { break }
      anchor = last.position
    }
    for (anchor, count) in pages.reversed() where count > 0 {
      for row in try page(below: anchor, count: count).rows.reversed() { try body(row) }
    }
    for row in (newest ?? []).reversed() { try body(row) }
  }
}
