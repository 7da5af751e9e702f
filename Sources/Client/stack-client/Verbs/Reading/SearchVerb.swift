internal import ArgumentParser
internal import ClientCore
internal import Messages
internal import ViewState

/// `search`: the posts that match a query.
struct SearchVerb: TextVerb {
  static let isQuery = true
  static let configuration = CommandConfiguration(
    commandName: "search", abstract: "Print the posts that match a query.",
    discussion: """
      Examples:
        stack-client search otter
        stack-client search 'from:ann "quiet harbour" -fog'
        stack-client search '#harbour after:2024-03-01 has:link' --jsonl
        stack-client search --there mastodon otter

      Quote a query that contains "#" or quotation marks, which the shell would interpret. docs/SEARCH.md describes the \
      syntax.
      """)

  @Argument(
    help: ArgumentHelp("Words, \"phrases\", from:, #tag, before:, after:, has:link, -word.", valueName: "query"))
  var words: [String]

  @Option(help: ArgumentHelp("First fetch what this source finds; you need a login there.", valueName: "source"))
  var there: String?

  @OptionGroup var wanted: ReadingOptions
  @OptionGroup var options: CommonOptions

  private var query: String { words.joined(separator: " ") }

  func validate() throws {
    if query.allSatisfy(\.isWhitespace) { throw ValidationError("the query is empty") }
  }

  func run() throws {
    try ClientContext.run(options) { context in
      if let there { try fetch(from: there, context) }
      try context.printRows(of: .search(query), wanted, whenEmpty: "no posts match")
    }
  }

  /// Has a source fetch what it finds. If it cannot, what is here is printed all the same.
  private func fetch(from source: String, _ context: ClientContext) throws(ClientFailure) {
    do throws(ClientFailure) {
      let _: EmptyMessage = try context.ask(
        Method.fetchMore, FetchMoreRequest(.text(query), source: source), timeout: FetchVerb.patience)
    } catch {
      guard [.failure, .unreachable, .timedOut].contains(error.exitCode) else { throw error }
      context.console.notice("\(source): \(error.message); only posts that are here already are searched")
    }
  }
}
