internal import ArgumentParser
internal import ClientCore
internal import Messages

/// `sources`: the logins and feeds that bring posts.
struct SourcesVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sources",
    abstract: "List the logins and feeds that bring you posts, and how each fares.",
    discussion: """
      Examples:
        stack-client sources
        stack-client sources --jsonl | jq -r 'select(.state == "failing") | .url'
        stack-client sources --watch
      """)

  @Flag(help: "Also print each that changes, until Ctrl-C. Reconnects when the daemon restarts.")
  var watch = false

  @OptionGroup var options: CommonOptions

  func run() throws {
    try ClientContext.run(options) { context in
      if watch { try SourceWatching(context).run() }
      let sources = try context.list(Method.listSources, ListSourcesResponse.self)
      try context.write(sources.map(\.record), whenEmpty: "no program brings you posts")
    }
  }
}
