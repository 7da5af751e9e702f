internal import ArgumentParser
internal import ClientCore
internal import ViewState

/// `show`: one post with all there is to say about it.
struct ShowVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Print one post, whole.",
    discussion: """
      Examples:
        stack-client show 42
        stack-client show twitter:20 --json
      """)

  @Argument(help: ArgumentHelp("Its number, or source:native-id.", valueName: "id"))
  var post: String

  @OptionGroup var options: CommonOptions

  func validate() throws { try PostReference.check(post) }

  func run() throws {
    try ClientContext.run(options) { context in
      let reader = TimelineReader(context, link: try context.connect())
      defer { reader.link.close() }
      let printer = RowPrinter(context: context, isSingle: true)
      try printer.row(try reader.row(named: post))
    }
  }
}

/// `conversation`: a post with what it answers and what answers it.
struct ConversationVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "conversation", abstract: "Print the whole thread of a post, oldest first.",
    discussion: """
      Example:
        stack-client conversation 42
      """, aliases: ["thread"])

  @Argument(help: ArgumentHelp("A post of it: number, or source:native-id.", valueName: "id"))
  var post: String

  @OptionGroup var options: CommonOptions

  func validate() throws { try PostReference.check(post) }

  func run() throws {
    try ClientContext.run(options) { context in
      let reader = TimelineReader(context, link: try context.connect())
      defer { reader.link.close() }
      let printer = RowPrinter(context: context)
      try reader.conversation(around: post) { row throws(ClientFailure) in try printer.row(row) }
      try printer.end()
    }
  }
}
