internal import ClientCore
internal import Messages
internal import ViewState

/// Prints the posts of a list, as the options of reading want them: newest last on a terminal, so that the newest
/// stands at the prompt; newest first otherwise.
struct RowListing {
  /// Rows without `-n` where there is no screen to fill.
  static let defaultCount = 20

  let reader: RowReader
  let wanted: ReadingOptions
  let context: ClientContext
  /// What is told above the rows.
  var heading: RowWriter.Heading?
  /// What a person is told where there are none.
  let whenEmpty: String

  /// Prints them.
  func printRows() throws(ClientFailure) {
    let bound = wanted.sinceBound
    let anchor = try wanted.before.map { name throws(ClientFailure) in RowReader.Cursor(try reader.row(named: name)) }
    let isWanted = try admission(bound)
    let isForPerson = context.options.format == .lines && context.console.isTerminal
    let fillsScreen = wanted.count == nil && bound == nil && isForPerson
    let limit = wanted.count ?? (bound != nil ? Int.max : Self.defaultCount)
    let printer = RowPrinter(context: context, heading: heading)
    try printer.begin()
    if fillsScreen {
      try printer.screenful(try reader.page(below: anchor, count: 100).rows, oldestFirst: !wanted.reverse)
    } else if isForPerson != wanted.reverse {
      try reader.forEachRowOldestFirst(below: anchor, limit: limit, while: isWanted) { row throws(ClientFailure) in
        try printer.row(row)
      }
    } else {
      try reader.forEachRow(below: anchor, limit: limit, while: isWanted) { row throws(ClientFailure) in
        try printer.row(row)
      }
    }
    try printer.end()
    if printer.count == 0 && isForPerson && wanted.before == nil && bound == nil && limit > 0 {
      context.console.notice(whenEmpty)
    }
  }

  private func admission(_ bound: SinceBound?) throws(ClientFailure) -> (PlacedRow) -> Bool {
    switch bound {
    case nil: return { _ in true }
    case .instant(let instant): return { $0.content.fields.createdAtMilliseconds >= instant }
    case .post(let reference):
      let oldest = try reader.row(named: reference)
      return { $0.comesBefore(oldest) }
    }
  }
}
