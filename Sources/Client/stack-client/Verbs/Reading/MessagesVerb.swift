internal import ArgumentParser
internal import ClientCore
internal import Messages
internal import ViewState

/// `messages`: direct conversations, each by its newest post, or one of them.
struct MessagesVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "messages", abstract: "Print the newest post of each direct conversation, or all of one.",
    discussion: """
      Examples:
        stack-client messages
        stack-client messages 7        one conversation: the number behind "messages" under its posts
        stack-client post --visibility direct "@ann are you there?"
      """)

  @Argument(help: ArgumentHelp("A direct conversation; without it the newest post of each.", valueName: "number"))
  private var direct: UInt64?

  @OptionGroup var wanted: ReadingOptions
  @OptionGroup var options: CommonOptions

  func run() throws {
    try ClientContext.run(options) { context in
      try context.printRows(
        of:
          direct.map { .direct($0) } ?? .section(.messages), wanted,
        whenEmpty: "there are no direct conversations: `stack-client post --visibility direct \"@name …\"` begins one")
    }
  }
}
