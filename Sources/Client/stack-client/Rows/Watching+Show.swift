internal import ClientCore
internal import Messages
internal import ViewState

extension Watching {
  /// Prints the pending events at once.
  ///
  /// - Throws: if the rows of a gap could not be fetched. It and the events after it stay pending.
  func printPending(_ link: DaemonLink) throws(ClientFailure) {
    while let event = pending.first {
      // An import arrives in many frames; one notice is enough.
      let isRepeated = event == .olderRows && hasReportedOlder
      hasReportedOlder = event == .olderRows
      if case .gap(let newer, let older) = event {
        for event in try fill(newer: newer, older: older, link) { try print(event) }
      } else if !isRepeated {
        try print(event)
      }
      pending.removeFirst()
    }
    try context.console.flush()
  }

  private func print(_ event: TimelineEvent) throws(ClientFailure) {
    try context.console.write(writer.bytes(of: event))
  }

  /// Fetches the rows between two positions, whose rows may have been deleted, and returns what to print of them.
  private func fill(
    newer: RowPosition, older: RowPosition?, _ link: DaemonLink
  ) throws(ClientFailure) -> [TimelineEvent] {
    let reader = RowPager(context, link: link, of: section.subject)
    var rows: [PlacedRow] = []
    try reader.forEachRow(
      below: newer, limit: GapFilling.fetchedRows,
      while: { row in older.map { row.position.comesBefore($0) } ?? true }
    ) { row throws(ClientFailure) in rows.append(row) }
    return GapFilling.events(rows, newer: newer, older: older)
  }
}
