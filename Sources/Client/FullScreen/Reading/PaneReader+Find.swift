internal import Messages
internal import ViewState

/// Finding words in a pane: among the rows that are held, then, where the daemon can filter the pane, in all of it.
extension PaneReader {
  /// The outcome of a look.
  enum FindOutcome: Equatable {
    /// The row is selected, or the daemon was asked for it.
    case going
    case nothingToFind
    case notFound
    /// Not among the rows that are held, of a pane that the daemon cannot filter.
    case notHeld(Int)
  }

  /// Sets the words to look for in the focused pane.
  mutating func beginFinding(_ words: String) {
    find = FindInPane(paneID: focusID, words: words, matcher: RowMatcher(words, inSearch: false))
  }

  /// Goes to the next row with the words looked for (1), or the previous one (-1).
  mutating func goToNextFound(_ step: Int, _ layout: LayoutParameters, _ connection: inout Connection) -> FindOutcome {
    guard let pane = focused, let find, find.paneID == pane.header.paneID, let row = currentRow else {
      return .nothingToFind
    }
    var last = row
    if let matcher = find.matcher, matcher.isComplete {
      let index = pane.rows.firstIndex { $0.rowID == row.rowID } ?? (step > 0 ? -1 : pane.rows.count)
      let others = step > 0 ? Array(pane.rows[(index + 1)...]) : pane.rows[..<index].reversed()
      if let next = others.first(where: { matcher.matches($0.content.fields) }) {
        go(to: next.rowID, in: pane, &connection)
        return .going
      }
      guard step > 0 ? pane.hasMoreBelow : pane.status.rowsAbove > 0 else { return .notFound }
      last = others.last ?? row
    }
    return ask(step, beyond: last, in: pane, find.words, layout, &connection)
  }

  /// Asks the daemon for the next row that matches, beyond a row.
  private func ask(
    _ step: Int, beyond row: PlacedRow, in pane: Pane, _ words: String, _ layout: LayoutParameters,
    _ connection: inout Connection
  ) -> FindOutcome {
    guard let subject = pane.header.filterable else { return .notHeld(pane.rows.count) }
    var request = GetRowsRequest(layout: layout)
    request.subject = subject
    request.anchorRow = row.rowID
    request.anchorAtMilliseconds = row.content.fields.createdAtMilliseconds
    request.direction = step > 0 ? .down : .up
    request.count = 1
    let filter = String(decoding: pane.header.filter, as: UTF8.self)
    request.filter = filter.isEmpty ? words : "\(filter) \(words)"
    request.session = connection.session
    connection.call(.find(step, pane: pane.header.paneID), Method.getRows, request)
    return .going
  }

  /// Goes to the row that the daemon has found, unless the user has gone on since. Returns false if there is none.
  mutating func goToFound(in id: UInt64, _ bytes: [UInt8], _ connection: inout Connection) -> Bool {
    guard find?.paneID == id, focusID == id else { return true }
    guard let pane = pane(id), let row = (try? GetRowsResponse(decoding: bytes))?.rows.first?.rowID else {
      return false
    }
    if pane.rows.contains(where: { $0.rowID == row }) {
      go(to: row, in: pane, &connection)
    } else {
      jump(.row(row), in: id, to: .anchor(LineAnchor(rowID: row)))
    }
    return true
  }
}

extension PaneHeader {
  /// What the pane shows, if that can be filtered; nil otherwise.
  fileprivate var filterable: Subject? {
    switch kind {
    case .timeline: .section(.timeline)
    case .mentions: .section(.mentions)
    case .profile: .author(String(subject))
    case .list: .list(String(subject))
    case .search: query.isEmpty ? nil : .search(String(decoding: query, as: UTF8.self))
    default: nil
    }
  }
}
