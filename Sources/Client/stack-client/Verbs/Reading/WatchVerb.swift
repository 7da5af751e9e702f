internal import ArgumentParser
internal import ClientCore
internal import ViewState

/// `watch`: prints new posts as they arrive.
struct WatchVerb: TextVerb {
  static let isQuery = true
  static let configuration = CommandConfiguration(
    commandName: "watch", abstract: "Print new posts as they arrive, until Ctrl-C.",
    discussion: """
      Examples:
        stack-client watch
        stack-client watch mentions
        stack-client watch search '#harbour otter'
        stack-client watch --jsonl | jq -r 'select(.event == "inserted") | .row.text'

      Reconnects when the daemon restarts.
      """)

  @Argument(help: ArgumentHelp("The section; search with a query.", valueName: "section"))
  var chosen = SectionArgument<SectionChoices.Watched>(.timeline)

  @Argument(help: ArgumentHelp("The query, with search.", valueName: "query"))
  var words: [String] = []

  @Option(
    name: [.customShort("n", allowingJoined: true), .customLong("lines")], parsing: .unconditional,
    help: ArgumentHelp("Print the newest N posts first, at most 200.", valueName: "N"))
  var count = 0

  @OptionGroup var options: CommonOptions

  private var section: Section { chosen.section }

  private var query: String { words.joined(separator: " ") }

  func validate() throws {
    if !(0...200).contains(count) { throw ValidationError("-n must be 0 to 200, not \(count)") }
    if (section == .search) == query.allSatisfy(\.isWhitespace) {
      throw ValidationError(section == .search ? "the query is empty" : "only search takes a query")
    }
  }

  func run() throws {
    try ClientContext.run(options) { context in
      let watched = WatchedSection(section, query: query)
      try Watching(context: context, section: watched, initialCount: count).run()
    }
  }
}
