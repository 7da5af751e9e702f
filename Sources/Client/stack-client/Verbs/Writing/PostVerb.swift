internal import ArgumentParser
internal import ClientCore
internal import Messages
internal import UV

/// `post`: writes a post and prints its number.
struct PostVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "post", abstract: "Write a post; prints its number.",
    discussion: """
      Examples:
        stack-client post "Hello, harbour"
        stack-client post "See you there" --reply-to 42
        stack-client post --visibility direct "@ann are you there?"
        stack-client post --source fake "To a source elsewhere"
        fortune | stack-client post -
        stack-client post --editor
      """)

  /// Who may see a post.
  enum Visibility: String, CaseIterable, ExpressibleByArgument {
    case `public`, followers, direct

    /// The visibility in the schema.
    var choice: ComposeVisibility {
      switch self {
      case .public: .everybody
      case .followers: .followers
      case .direct: .direct
      }
    }
  }

  @OptionGroup var content: TextArguments

  @Option(help: ArgumentHelp("The post it answers.", valueName: "id"))
  var replyTo: String?

  @Option(help: ArgumentHelp("Who may see it: public, followers, or direct for those it names with @.", valueName: "who"))
  var visibility = Visibility.public

  @Option(help: ArgumentHelp("The source elsewhere that it goes to; one that the daemon's --upstream names.", valueName: "name"))
  var source: String?

  @OptionGroup var options: CommonOptions

  func validate() throws { if let replyTo { try PostReference.check(replyTo) } }

  func run() throws {
    try ClientContext.run(options) { context in
      var request = ComposeRequest(text: try content.text(context))
      request.inReplyTo = replyTo ?? ""
      request.visibility = visibility.choice
      request.source = source ?? ""
      request.requestID = try RequestID.make()
      let answer: ComposeResponse = try context.command(Method.compose, request)
      try context.tell(
        Record(
          [("id", .identifier(answer.postID)), ("revision", .identifier(answer.revision))],
          facts: [Record.Piece(String(answer.postID))]))
    }
  }
}
