internal import ClientCore
internal import Messages
internal import ViewState

/// Reads the rows of a list page by page, so that a timeline of any length costs the memory of one page.
struct RowReader {
  /// Rows a page; the most that GetRows gives.
  static let pageRows = 200

  let link: DaemonLink
  private let context: ClientContext
  private let subject: Subject
  private let filter: String
  private let session: String

  /// Reads a list over a connection, as a context wants rows laid out.
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

  /// Where a page begins: strictly beyond a row, whether that is still there or not.
  struct Cursor {
    fileprivate let row: UInt64
    fileprivate let createdAt: Int64

    /// Beyond a row.
    init(_ row: PlacedRow) {
      self.row = row.rowID
      createdAt = row.content.fields.createdAtMilliseconds
    }
  }

  /// One page, newest first, below `anchor` (nil: from the newest on).
  func page(below anchor: Cursor?, count: Int = pageRows) throws(ClientFailure) -> GetRowsResponse {
    guard case .direct = subject else { return try answer(subject, anchor: anchor, .down, count: count) }
    // Its newest row is at the bottom: it is read upwards, and every page has its oldest row first.
    var answer = try answer(subject, anchor: anchor, .up, count: count)
    answer.rows.reverse()
    return answer
  }

  private func answer(
    _ subject: Subject, anchor: Cursor? = nil, _ direction: GetRowsRequest.Direction, count: Int
  ) throws(ClientFailure) -> GetRowsResponse {
    var request = GetRowsRequest(layout: context.layout)
    request.subject = subject
    request.anchorRow = anchor?.row ?? 0
    request.anchorAtMilliseconds = anchor?.createdAt ?? 0
    request.direction = direction
    request.count = min(count, Self.pageRows)
    if case .post = subject {} else { (request.filter, request.session) = (filter, session) }
    let answer: GetRowsResponse = try link.call(Method.getRows, request)
    context.note(locale: answer.locale)
    return answer
  }

  /// The row that a person names by its number or by `source:native-id`, in the list or not.
  func row(named reference: String) throws(ClientFailure) -> PlacedRow {
    let answer = try answer(.post(reference), .down, count: 1)
    guard let row = answer.rows.first else { throw ClientFailure(.notFound, "there is no post \(reference)") }
    return row
  }

  /// Gives `body` every row of a list that is read from top to bottom, such as a conversation, and how much further
  /// right each level of its tree begins.
  func forEachRowFromTop(_ body: (PlacedRow, Int) throws(ClientFailure) -> Void) throws(ClientFailure) {
    var anchor: Cursor?
    while true {
      let answer = try answer(subject, anchor: anchor, .down, count: Self.pageRows)
      for row in answer.rows { try body(row, answer.indent) }
      guard answer.hasMore, let last = answer.rows.last else { return }
      anchor = Cursor(last)
    }
  }

  /// Gives `body` the rows below `anchor` down to, and without, the first that `isWanted` refuses, at most `limit`,
  /// newest first. True if there may be more.
  @discardableResult
  func forEachRow(
    below anchor: Cursor?, limit: Int, while isWanted: (PlacedRow) -> Bool = { _ in true },
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
      anchor = Cursor(last)
    }
    return true
  }

  /// As `forEachRow`, but oldest first. Rows are read twice where they are more than a page, and never held: the first
  /// reading remembers where each page begins.
  func forEachRowOldestFirst(
    below anchor: Cursor?, limit: Int, while isWanted: (PlacedRow) -> Bool,
    _ body: (PlacedRow) throws(ClientFailure) -> Void
  ) throws(ClientFailure) {
    var anchor = anchor
    var left = limit
    var pages: [(anchor: Cursor?, count: Int)] = []
    var newest: [PlacedRow]?
    while left > 0 {
      let answer = try page(below: anchor, count: left)
      let rows = Array(answer.rows.prefix(while: isWanted))
      if newest == nil { newest = rows } else { pages.append((anchor, rows.count)) }
      left -= rows.count
      guard answer.hasMore, rows.count == answer.rows.count, let last = rows.last else { break }
      anchor = Cursor(last)
    }
    for (anchor, count) in pages.reversed() where count > 0 {
      for row in try page(below: anchor, count: count).rows.reversed() { try body(row) }
    }
    for row in (newest ?? []).reversed() { try body(row) }
  }
}
