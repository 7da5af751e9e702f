internal import ArgumentParser
internal import ClientCore
internal import Messages

/// `fetch`: asks a source for posts that are not here.
struct FetchVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fetch", abstract: "Ask a source for posts that are not here yet.",
    discussion: """
      Waits until they have arrived. You need a login at the source (`stack-client sources`).

      Examples:
        stack-client fetch conversation 42
        stack-client fetch author @ann
        stack-client fetch gap 77
        stack-client fetch search mastodon otters
      """,
    subcommands: [Conversation.self, AuthorPosts.self, Gap.self, Search.self])

  /// The time limit for a fetch. The daemon gives up long before (docs/UPSTREAM.md).
  static let patience = Duration.seconds(3600)

  private static func fetch(
    _ subject: FetchMoreRequest.Subject, source: String = "", _ options: CommonOptions
  ) throws {
    try ClientContext.run(options) { context in
      let _: EmptyMessage = try context.ask(
        Method.fetchMore, FetchMoreRequest(subject, source: source), timeout: patience)
    }
  }

  /// Fetches a conversation.
  struct Conversation: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "conversation", abstract: "Fetch the whole conversation of a post.")

    @OptionGroup var subject: PostArgument
    @OptionGroup var options: CommonOptions

    func run() throws { try FetchVerb.fetch(.post(subject.post), options) }
  }

  /// Fetches posts of an author.
  struct AuthorPosts: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "author", abstract: "Fetch posts of an author.")

    @Argument(help: ArgumentHelp("The author: an ID, source:native-id or @handle.", valueName: "author"))
    var author: String

    @OptionGroup var options: CommonOptions

    func run() throws { try FetchVerb.fetch(.author(author), options) }
  }

  /// Fetches the posts of a gap.
  struct Gap: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "gap", abstract: "Fetch posts that are missing in the timeline.")

    @Argument(help: ArgumentHelp("The ID of the gap's row, as in `stack-client timeline --json`.", valueName: "id"))
    var row: UInt64

    @OptionGroup var options: CommonOptions

    func run() throws { try FetchVerb.fetch(.gap(row), options) }
  }

  /// Searches at a source.
  struct Search: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "search", abstract: "Fetch posts and people that match a text at a source.")

    @Argument(help: ArgumentHelp("The source, as in `stack-client sources`.", valueName: "source"))
    var source: String

    @Argument(help: ArgumentHelp("Words, an address or a name there.", valueName: "text"))
    var words: [String]

    @OptionGroup var options: CommonOptions

    func run() throws { try FetchVerb.fetch(.text(words.joined(separator: " ")), source: source, options) }
  }
}
