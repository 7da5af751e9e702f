internal import ClientCore
internal import Messages
internal import ViewState

extension Watching {
  /// Prints the events of a frame at once.
  func show(_ events: [TimelineEvent], _ link: DaemonLink) throws(ClientFailure) {
    if let count = initialCount, let rows = follower.mirror.panes.first?.rows {
      initialCount = nil
      for row in rows.prefix(count).reversed() { try print(.inserted(row)) }
    }
    for event in events {
      // An import arrives in many frames; one notice is enough.
      if event == .olderRows && hasReportedOlder { continue }
      hasReportedOlder = event == .olderRows
      if case .gap(let newer, let older) = event {
        try fill(newer: newer, older: older, link)
      } else {
        try print(event)
      }
    }
    try context.console.flush()
  }

  private func print(_ event: TimelineEvent) throws(ClientFailure) {
    try context.console.write(writer.bytes(of: event))
  }

  /// Fetches the rows between two rows, and reports a gap only if there are too many. The older row may have been
  /// deleted, so its position is found by time.
  private func fill(newer: UInt64, older: UInt64, _ link: DaemonLink) throws(ClientFailure) {
    let reader = RowReader(context, link: link, of: section.subject)
    let bound = older == 0 ? nil : try? reader.row(named: String(older))
    let held = follower.mirror.panes.first?.rows.first { $0.rowID == newer }
    guard let begin = try? held ?? reader.row(named: String(newer)) else {
      // The newer row has been deleted meanwhile, so the others cannot be found.
      return try print(.gap(newer: newer, older: older))
    }
    var rows: [PlacedRow] = []
    let isCut = try reader.forEachRow(
      below: RowReader.Cursor(begin), limit: Self.filledRows,
      while: { row in bound.map { row.comesBefore($0) } ?? (older == 0) }
    ) { row throws(ClientFailure) in rows.append(row) }
    if isCut || (bound == nil && older != 0) {
      try print(.gap(newer: rows.last?.rowID ?? newer, older: older))
    }
    for row in rows.reversed() { try print(.inserted(row)) }
  }
}
