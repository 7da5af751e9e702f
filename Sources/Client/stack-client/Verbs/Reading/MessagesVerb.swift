internal import ArgumentParser
internal import ClientCore
internal import Messages
internal import ViewState

/// `messages`: the newest post of each direct conversation, or one conversation.
struct MessagesVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "messages", abstract: "Print the newest post of each direct conversation, or one conversation.",
    discussion: """
      Examples:
        stack-client messages
        stack-client messages 7  # the number after "messages" under a post
        stack-client post --visibility direct "@ann are you there?"
      """)

  @Argument(
    help: ArgumentHelp("The number of a direct conversation (default: the newest post of each).", valueName: "number"))
  private var direct: UInt64?

  @OptionGroup var wanted: ReadingOptions
  @OptionGroup var options: CommonOptions

  func run() throws {
    try ClientContext.run(options) { context in
      try context.printRows(
        of:
          direct.map { .direct($0) } ?? .section(.messages), wanted,
        whenEmpty: "no messages yet: `stack-client post --visibility direct \"@name …\"` starts a conversation")
    }
  }
}
