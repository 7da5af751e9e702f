internal import ClientCore
internal import Messages
internal import ViewState

/// Prints the posts of a list as the reading options ask: newest last on a terminal, so that the newest is next to the
/// prompt; newest first otherwise.
struct RowListing {
  /// The number of rows without `-n` if there is no screen to fill.
  static let defaultCount = 20

  let reader: RowPager
  let wanted: ReadingOptions
  let context: ClientContext
  /// The record above the rows.
  var heading: RowWriter.Heading?
  /// The notice if there are no rows.
  let whenEmpty: String

  /// Prints the rows.
  func printRows() throws(ClientFailure) {
    let bound = wanted.sinceBound
    let anchor = try anchor(before: wanted.beforeBound)
    let isWanted = try condition(for: bound)
    let isForTerminal = context.options.format == .lines && context.console.isTerminal
    let fillsScreen = wanted.count == nil && bound == nil && isForTerminal
    let limit = wanted.count ?? (bound != nil ? Int.max : Self.defaultCount)
    let printer = RowPrinter(context: context, heading: heading)
    try printer.begin()
    if fillsScreen {
      try printer.screenful(try reader.page(below: anchor, count: 100).rows, oldestFirst: !wanted.reverse)
    } else if isForTerminal != wanted.reverse {
      try reader.forEachRowOldestFirst(below: anchor, limit: limit, while: isWanted) { row throws(ClientFailure) in
        try printer.row(row)
      }
    } else {
      try reader.forEachRow(below: anchor, limit: limit, while: isWanted) { row throws(ClientFailure) in
        try printer.row(row)
      }
    }
    try printer.end()
    if printer.count == 0 && isForTerminal && wanted.before == nil && bound == nil && limit > 0 {
      context.console.notice(whenEmpty)
    }
  }

  /// Returns the position that all rows are below; nil for the top.
  private func anchor(before bound: SinceBound?) throws(ClientFailure) -> RowPosition? {
    switch bound {
    case nil: nil
    case .instant(let instant): RowPosition(before: instant)
    case .post(let reference): try reader.row(named: reference).position
    }
  }

  /// Returns the condition that rows satisfy down to `bound`.
  private func condition(for bound: SinceBound?) throws(ClientFailure) -> (PlacedRow) -> Bool {
    switch bound {
    case nil: return { _ in true }
    case .instant(let instant): return { $0.content.fields.createdAtMilliseconds >= instant }
    case .post(let reference):
      let oldest = try reader.row(named: reference)
      return { $0.comesBefore(oldest) }
    }
  }
}
