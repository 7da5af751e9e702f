internal import ArgumentParser
internal import ClientCore
internal import Messages
internal import ViewState

/// `mentions`: posts of others that mention the account or reply to it.
struct MentionsVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "mentions", abstract: "Print posts that mention you or reply to you.",
    discussion: """
      Examples:
        stack-client mentions --since 1d
        stack-client mentions --jsonl | jq -r '.author.handle' | sort | uniq -c
      """)

  @OptionGroup var wanted: ReadingOptions
  @OptionGroup var options: CommonOptions

  func run() throws {
    try ClientContext.run(options) { context in
      try context.printRows(of: .section(.mentions), wanted, whenEmpty: "no mentions yet")
    }
  }
}
