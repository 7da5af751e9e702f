internal import ArgumentParser
internal import ClientCore
internal import Messages
internal import ViewState

/// `conversation`: a post with its ancestors and replies.
struct ConversationVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "conversation",
    abstract: "Print the whole thread of a post, from its first post to all replies, as a tree.",
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
        let asked = try reader.row(named: subject.post).content.fields.postID
        // A conversation is that of its first post. The one around another post has only the replies to that one.
        let first = try reader.topRow()?.content.fields.postID ?? asked
        let whole = RowPager(context, link: reader.link, of: .conversation(String(first)))
        let printer = RowPrinter(context: context)
        try whole.forEachRowFromTop { row, indent throws(ClientFailure) in
          try printer.row(row, indent: indent, isAsked: row.content.fields.postID == asked)
        }
        try printer.end()
      }
    }
  }
}
