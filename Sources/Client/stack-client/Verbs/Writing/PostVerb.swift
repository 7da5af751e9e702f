internal import ArgumentParser
internal import ClientCore
internal import Messages
internal import UV

/// `post`: writes a post and prints its ID.
struct PostVerb: TextVerb {
  static let configuration = CommandConfiguration(
    commandName: "post", abstract: "Write a post; prints its ID.",
    discussion: """
      Examples:
        stack-client post "Hello, harbour"
        stack-client post --visibility direct "@ann are you there?"
        stack-client post --source fake "Hello, elsewhere"
        stack-client post --source mastodon --media cat.png --alt "A cat" "Today:"
        deploy.sh | stack-client post -
        stack-client post --editor
        stack-client post --draft 3
      """)

  @OptionGroup var content: TextArguments

  @Option(help: ArgumentHelp("Reply to this post.", valueName: "id"))
  var replyTo: String?

  @OptionGroup var destination: DestinationOptions

  @OptionGroup var media: MediaOptions

  @Option(
    help: ArgumentHelp(
      "Publish a draft, with its own text unless another is given.", valueName: "number"))
  var draft: UInt64?

  @OptionGroup var options: CommonOptions

  func validate() throws { if let replyTo { try PostReference.check(replyTo) } }

  func run() throws {
    try ClientContext.run(options) { context in
      let draft = try draft.map { try DraftsVerb.draft($0, context) }
      let written = try content.write(on: context.loop, beginning: draft?.text) { draft?.text ?? "" }
      let answer: ComposeResponse = try written.send { text in
        if let draft, draft.kind == .edit {
          guard media.media.isEmpty else { throw ClientFailure(.usage, "an edit keeps the files of its post") }
          return try edit(draft, text, context)
        }
        if destination.isPublicHere { try MentionCheck.check(text, context) }
        let parent = replyTo ?? (draft?.kind == .answer ? String(draft?.postID ?? 0) : "")
        var request = try destination.request(text, answering: parent, draft: draft)
        try media.attach(to: &request, context)
        return try context.compose(request)
      }
      try context.write(answer.record)
    }
  }

  /// Applies a draft that edits a post.
  private func edit(_ draft: DraftSummary, _ text: String, _ context: ClientContext) throws -> ComposeResponse {
    var request = EditRequest(post: String(draft.postID), text: text)
    request.requestID = try RequestID.make()
    request.draftID = draft.draftID
    let answer: RevisionResponse = try context.command(Method.edit, request)
    return ComposeResponse(postID: draft.postID, revision: answer.revision)
  }
}
