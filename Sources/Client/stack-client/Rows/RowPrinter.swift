internal import ClientCore
internal import ViewState

/// Prints rows to the console in the requested format.
final class RowPrinter {
  private let context: ClientContext
  private var writer: RowWriter
  /// The number of rows printed.
  private(set) var count = 0
  private let headingLines: Int

  /// Creates a printer of a list or, with `isSingle`, of one row.
  init(context: ClientContext, isSingle: Bool = false, heading: RowWriter.Heading? = nil) {
    self.context = context
    headingLines = heading.map { $0.record.lines.count + 1 } ?? 0
    writer = RowWriter(
      context.options.format, painter: context.painter(isDetailed: isSingle), isSingle: isSingle, heading: heading)
  }

  func begin() throws(ClientFailure) { try context.console.write(writer.begin()) }

  /// Prints a row. `isAsked` says, in a conversation, whether it is the post that was asked for.
  func row(_ row: PlacedRow, indent: Int = 0, isAsked: Bool? = nil) throws(ClientFailure) {
    count += 1
    try context.console.write(writer.row(row, indent: indent, isAsked: isAsked))
  }

  func end() throws(ClientFailure) { try context.console.write(writer.end()) }

  /// Prints as many of `rows`, which are newest first, as fit on the screen above the prompt; at least one.
  func screenful(_ rows: [PlacedRow], oldestFirst: Bool) throws(ClientFailure) {
    var left = (context.console.windowSize?.rows ?? 24) - 1 - headingLines
    let painter = context.painter()
    let fitting = rows.prefix { row in
      left -= painter.paint(row).count { $0 == 0x0A }
      return left >= 0
    }
    let shown = fitting.isEmpty ? rows.prefix(1) : fitting
    for row in oldestFirst ? Array(shown.reversed()) : Array(shown) { try self.row(row) }
  }
}
