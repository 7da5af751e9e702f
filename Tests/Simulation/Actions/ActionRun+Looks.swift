import Messages
import ViewState

/// What is shown is what the model has.
extension ActionRun {
  /// Rows of one request; the daemon takes so many.
  private static let page = 100

  /// Every view shows the newest posts, and of each what the model has; and so does a list of rows that is asked for.
  func look() throws {
    daemon.advance(by: .milliseconds(600))
    for (account, view) in views.enumerated() {
      let shown = model.shown(to: account)
      let newest = Array(shown.reversed().prefix(1_000))
      if let failure = view.failure { violation("a frame that does not fit: \(failure)") }
      if let end = view.end { violation("a view has ended: \(end)") }
      guard let pane = view.mirror.panes.last else { continue }
      let held = pane.rows.map(\.rowID)
      if held != newest.dropFirst(pane.status.rowsAbove).prefix(held.count).map({ $0 })
        || held.isEmpty != newest.isEmpty
      {
        violation("account \(account) is shown \(held.prefix(5)), and the newest are \(newest.prefix(5))")
      }
      if pane.status.rowCount != shown.count {
        violation("account \(account) is told of \(pane.status.rowCount) of \(shown.count)")
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

  /// Reads all rows there are, as one account, and compares each.
  func lookThrough() throws {
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
      violation("account \(account) reads \(found.count) rows, and there are \(shown.count)")
    }
  }

  private func check(_ row: PlacedRow, _ account: Int) {
    report.rows += 1
    if let flaw = model.flaw(in: row, of: account) { violation(flaw) }
  }
}
