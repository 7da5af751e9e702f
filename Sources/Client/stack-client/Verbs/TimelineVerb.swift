internal import ArgumentParser
internal import ClientCore
internal import Messages
internal import UV
internal import ViewState

/// `timeline`: posts, newest last on a terminal, so that the newest stands at the prompt; newest first otherwise.
struct TimelineVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "timeline", abstract: "Print posts.",
    discussion: """
      Examples:
        stack-client timeline -n 50
        stack-client timeline --since 2h
        stack-client timeline --since 2024-03-03 --jsonl
        stack-client timeline --before 42 -n 10
      """)

  /// Rows without `-n` where there is no screen to fill.
  static let defaultCount = 20

  @Option(
    name: [.customShort("n"), .customLong("lines")],
    help: ArgumentHelp("At most N posts; as many as fit on the screen, or 20.", valueName: "N"))
  var count: Int?

  @Option(help: ArgumentHelp("Only posts below this one.", valueName: "id"))
  var before: String?

  @Option(
    help: ArgumentHelp(
      "Only posts above this one, or from a time on: 2h, 3d, 2024-03-03, 2024-03-03T12:30.", valueName: "id|time"))
  var since: String?

  @Flag(help: "The other way round.")
  var reverse = false

  @OptionGroup var options: CommonOptions

  func validate() throws {
    if let count, count < 0 { throw ValidationError("-n is \(count); 0 or more is possible") }
    if let before { try PostReference.check(before) }
  }

  func run() throws {
    try ClientContext.run(options) { context in
      let bound = try sinceBound()
      let reader = TimelineReader(context, link: try context.connect())
      defer { reader.link.close() }
      let anchor = try anchorRow(reader)
      let isWanted = try admission(bound, reader)
      let isForPerson = options.format == .lines && context.console.isTerminal
      let fillsScreen = count == nil && bound == nil && isForPerson
      let limit = count ?? (bound != nil ? Int.max : Self.defaultCount)
      let printer = RowPrinter(context: context)
      if fillsScreen {
        try printer.screenful(try reader.page(below: anchor, count: 100).rows, oldestFirst: !reverse)
      } else if isForPerson != reverse {
        try reader.forEachRowOldestFirst(below: anchor, limit: limit, while: isWanted) { row throws(ClientFailure) in
          try printer.row(row)
        }
      } else {
        try reader.forEachRow(below: anchor, limit: limit, while: isWanted) { row throws(ClientFailure) in
          try printer.row(row)
        }
      }
      try printer.end()
      if printer.count == 0 && isForPerson && before == nil && bound == nil && limit > 0 {
        context.console.notice("the timeline is empty: `stack-client post` and `stack-client import` fill it")
      }
    }
  }

  private func sinceBound() throws(ClientFailure) -> SinceBound? {
    guard let since else { return nil }
    let bound = SinceBound(since, now: Loop.wallClockMilliseconds) { UV.Process.localOffset(at: $0) }
    guard let bound else {
      throw ClientFailure(
        .usage, "--since '\(since)' is neither a post nor a time", hint: "try 42, 2h, 2024-03-03 or 2024-03-03T12:30Z")
    }
    return bound
  }

  private func anchorRow(_ reader: TimelineReader) throws(ClientFailure) -> UInt64 {
    guard let before else { return 0 }
    return try reader.row(named: before).rowID
  }

  private func admission(_ bound: SinceBound?, _ reader: TimelineReader) throws(ClientFailure) -> (PlacedRow) -> Bool {
    switch bound {
    case nil: return { _ in true }
    case .instant(let instant): return { $0.content.fields.createdAtMilliseconds >= instant }
    case .post(let reference):
      let oldest = try reader.row(named: reference)
      return { $0.comesBefore(oldest) }
    }
  }
}
