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
        deploy.sh | stack-client post -
        stack-client post --editor
        stack-client post --draft 3
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

  @Option(help: ArgumentHelp("Post a draft, with its text unless another is given; it knows what it answers.", valueName: "number"))
  var draft: UInt64?

  @Option(help: ArgumentHelp("The source elsewhere that it goes to; one that the daemon's --upstream names.", valueName: "name"))
  var source: String?

  @OptionGroup var options: CommonOptions

  func validate() throws { if let replyTo { try PostReference.check(replyTo) } }

  func run() throws {
    try ClientContext.run(options) { context in
      let draft = try draft.map { try context.draft($0) }
      let written = try content.write(context, beginning: draft?.text) { draft?.text ?? "" }
      let answer = try written.send { text in
        if let draft, draft.kind == .edit { return try edit(draft, text, context) }
        var request = ComposeRequest(text: text)
        request.inReplyTo = replyTo ?? (draft?.kind == .answer ? String(draft?.postID ?? 0) : "")
        request.visibility = visibility.choice
        request.source = source ?? ""
        request.requestID = try RequestID.make()
        request.draftID = draft?.draftID ?? 0
        return try context.command(Method.compose, request)
      }
      try context.tell(
        Record(
          [("id", .identifier(answer.postID)), ("revision", .identifier(answer.revision))],
          facts: [Record.Piece(String(answer.postID))]))
    }
  }

  /// A draft of another text for a post becomes that.
  private func edit(_ draft: DraftSummary, _ text: String, _ context: ClientContext) throws -> ComposeResponse {
    var request = EditRequest(post: String(draft.postID), text: text)
    request.requestID = try RequestID.make()
    request.draftID = draft.draftID
    let answer: RevisionResponse = try context.command(Method.edit, request)
    return ComposeResponse(postID: draft.postID, revision: answer.revision)
  }
}
