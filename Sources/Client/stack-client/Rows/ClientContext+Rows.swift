internal import ClientCore
internal import Messages

extension ClientContext {
  /// Connects and calls `body` with a reader of a list.
  func readRows(
    of subject: Subject, filter: String = "", session: String = "", _ body: (RowPager) throws -> Void
  ) throws {
    let link = try connect()
    defer { link.close() }
    try body(RowPager(self, link: link, of: subject, filter: filter, session: session))
  }

  /// Prints the posts of a list, after the record that `heading` returns.
  func printRows(
    of subject: Subject, _ wanted: ReadingOptions, whenEmpty: String,
    heading: (DaemonLink) throws -> RowWriter.Heading? = { _ in nil }
  ) throws {
    try readRows(of: subject, filter: wanted.filter ?? "") { reader in
      let heading = try heading(reader.link)
      try RowListing(reader: reader, wanted: wanted, context: self, heading: heading, whenEmpty: whenEmpty).printRows()
    }
  }
}
