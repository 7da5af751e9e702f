internal import ArgumentParser
internal import ClientCore
internal import ViewState

/// `watch`: stays, and prints each new post as it comes.
struct WatchVerb: TextVerb {
  static let isQuery = true
  static let configuration = CommandConfiguration(
    commandName: "watch", abstract: "Stay, and print what arrives.",
    discussion: """
      Examples:
        stack-client watch
        stack-client watch mentions
        stack-client watch search '#harbour otter'
        stack-client watch --jsonl | jq -r 'select(.event == "inserted") | .row.text'

      Reconnects by itself when the daemon restarts. Ctrl-C ends it.
      """)

  @Argument(help: ArgumentHelp("timeline, mentions, messages, profile, or search with a query.", valueName: "section"))
  var section = Section.timeline

  @Argument(help: ArgumentHelp("What a search is for, as in the verb search.", valueName: "query"))
  var words: [String] = []

  @Option(
    name: [.customShort("n", allowingJoined: true), .customLong("lines")],
    help: ArgumentHelp("Begin with the newest N posts, as far as the view's window holds them.", valueName: "N"))
  var count = 0

  @OptionGroup var options: CommonOptions

  private var query: String { words.joined(separator: " ") }

  func validate() throws {
    if !(0...200).contains(count) { throw ValidationError("-n is \(count); 0 to 200 is possible") }
    if section == .lists { throw ValidationError("lists are no posts; `stack-client lists` prints them") }
    if (section == .search) == query.allSatisfy(\.isWhitespace) {
      throw ValidationError(section == .search ? "there is nothing to search for" : "only a search has a query")
    }
  }

  func run() throws {
    try ClientContext.run(options) { context in
      let watched = WatchedSection(section, query: query)
      try Watching(context: context, section: watched, initialCount: count).run()
    }
  }
}
