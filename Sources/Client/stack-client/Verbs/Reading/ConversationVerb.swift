internal import ArgumentParser
internal import ClientCore
internal import Messages
internal import ViewState

/// `conversation`: a post with its ancestors and replies.
struct ConversationVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "conversation",
    abstract: "Print the thread of a post: its ancestors, the post and its replies, as a tree.",
    discussion: """
      Examples:
        stack-client conversation 42
        stack-client conversation 42 --jsonl | jq -r '[.depth, .text] | @tsv'
      """, aliases: ["thread"])

  @OptionGroup var subject: PostArgument
  @OptionGroup var options: CommonOptions

  func run() throws {
    try ClientContext.run(options) { context in
      try context.readRows(of: .conversation(subject.post)) { reader in
        let printer = RowPrinter(context: context)
        try reader.forEachRowFromTop { row, indent throws(ClientFailure) in try printer.row(row, indent: indent) }
        try printer.end()
      }
    }
  }
}
