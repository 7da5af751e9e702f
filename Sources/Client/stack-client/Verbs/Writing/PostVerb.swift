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
      """)

  /// What the daemon takes (timeline_service.proto).
  static let maximumBytes = 10_000

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

  @Argument(
    help: ArgumentHelp("The text; several words are one text. - reads standard input, and so does no text.", valueName: "text"))
  var words: [String] = []

  @Option(help: ArgumentHelp("The post it answers.", valueName: "id"))
  var replyTo: String?

  @Option(help: ArgumentHelp("Who may see it: public, followers, or direct for those it names with @.", valueName: "who"))
  var visibility = Visibility.public

  @Option(help: ArgumentHelp("The source elsewhere that it goes to; one that the daemon's --upstream names.", valueName: "name"))
  var source: String?

  @OptionGroup var options: CommonOptions

  func validate() throws { if let replyTo { try PostReference.check(replyTo) } }

  func run() throws {
    let text = try text()
    try ClientContext.run(options) { context in
      var request = ComposeRequest(text: text)
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

  private func text() throws(ClientFailure) -> String {
    if words.isEmpty && Descriptor.standardInput.isTerminal {
      throw ClientFailure(.usage, "there is nothing to post", hint: "give the text, or - to type it, ended by Ctrl-D")
    }
    let text = try WordsOrInput.text(words, limitBytes: Self.maximumBytes)
    guard text.utf8.count <= Self.maximumBytes else {
      throw ClientFailure(.failure, "the text is longer than \(Self.maximumBytes) bytes", hint: "make it shorter, or two posts")
    }
    guard !text.allSatisfy(\.isWhitespace) else { throw ClientFailure(.usage, "the text is empty") }
    return text
  }
}
