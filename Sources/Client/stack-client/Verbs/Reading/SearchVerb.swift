internal import ArgumentParser
internal import ClientCore
internal import Messages
internal import ViewState

/// `search`: posts that a query finds.
struct SearchVerb: TextVerb {
  static let isQuery = true
  static let configuration = CommandConfiguration(
    commandName: "search", abstract: "Print posts that have all of the words.",
    discussion: """
      Examples:
        stack-client search otter
        stack-client search 'from:ann "quiet harbour" -fog'
        stack-client search '#harbour after:2024-03-01 has:link' --jsonl

      Quote a query that has "#" or quotation marks in it, which the shell would take for itself. docs/SEARCH.md says all of it.
      """)

  @Argument(
    help: ArgumentHelp("Words, \"phrases\", from:, #tag, before:, after:, has:link, -word.", valueName: "query"))
  var words: [String]

  @OptionGroup var wanted: ReadingOptions
  @OptionGroup var options: CommonOptions

  private var query: String { words.joined(separator: " ") }

  func validate() throws {
    if query.allSatisfy(\.isWhitespace) { throw ValidationError("there is nothing to search for") }
  }

  func run() throws {
    try ClientContext.run(options) { context in
      try context.printRows(of: .search(query), wanted, whenEmpty: "nothing has all of that in it")
    }
  }
}
