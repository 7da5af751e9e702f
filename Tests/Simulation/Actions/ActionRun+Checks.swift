import Messages
import ViewState

/// Comparisons of views and row requests with the model.
extension ActionRun {
  /// The row limit of one request.
  private static let page = 100

  /// Checks that every view and a row request show the newest posts, as in the model.
  func checkViews() throws {
    daemon.advance(by: .milliseconds(600))
    for (account, view) in views.enumerated() {
      let shown = model.shown(to: account)
      let newest = Array(shown.reversed().prefix(1_000))
      if let failure = view.failure { violation("a frame does not apply to the mirror: \(failure)") }
      if let end = view.end { violation("a view ended: \(end)") }
      guard let pane = view.mirror.panes.last else { continue }
      let held = pane.rows.map(\.rowID)
      if held != newest.dropFirst(pane.status.rowsAbove).prefix(held.count).map({ $0 })
        || held.isEmpty != newest.isEmpty
      {
        violation("account \(account) sees \(held.prefix(5)), but the newest are \(newest.prefix(5))")
      }
      if pane.status.rowCount != shown.count {
        violation("account \(account) has a row count of \(pane.status.rowCount), expected \(shown.count)")
      }
      for row in pane.rows { check(row, account) }
    }
    let account = Int.random(in: 0..<Self.accounts, using: &random)
    var request = GetRowsRequest(layout: Self.layout)
    request.count = Self.page
    let rows = try clients[account].call(Method.getRows, request, GetRowsResponse.self).rows
    if rows.map(\.rowID) != model.shown(to: account).reversed().prefix(Self.page).map({ $0 }) {
      violation("the rows are not the newest")
    }
    for row in rows { check(row, account) }
  }

  /// Reads all rows as one account, and compares each.
  func checkAllRows() throws {
    let account = Int.random(in: 0..<Self.accounts, using: &random)
    var request = GetRowsRequest(layout: Self.layout)
    request.count = Self.page
    var found: [UInt64] = []
    while true {
      let answer = try clients[account].call(Method.getRows, request, GetRowsResponse.self)
      for row in answer.rows { check(row, account) }
      found += answer.rows.map(\.rowID)
      guard answer.hasMore, let last = answer.rows.last else { break }
      request.anchorRow = last.rowID
    }
    let shown = model.shown(to: account)
    if found != shown.reversed() {
      violation("account \(account) read \(found.count) rows, expected \(shown.count)")
    }
  }

  private func check(_ row: PlacedRow, _ account: Int) {
    report.rows += 1
    if let flaw = model.flaw(in: row, of: account) { violation(flaw) }
  }
}
