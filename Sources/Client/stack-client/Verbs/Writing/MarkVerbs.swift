internal import ArgumentParser
internal import ClientCore
internal import Messages
internal import ViewState

/// `favourite`: marks a post as a favourite.
struct FavouriteVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "favourite", abstract: "Mark a post as a favourite.",
    discussion: """
      Examples:
        stack-client favourite 42
        stack-client favourite 42 --undo
      """, aliases: ["fav"])

  @OptionGroup var marking: MarkArguments

  func run() throws { try marking.run(.favourite) }
}

/// `repost`: reposts a post.
struct RepostVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "repost", abstract: "Repost a public post; prints the ID of the repost.",
    discussion: """
      Examples:
        stack-client repost 42
        stack-client repost 42 --undo
      """, aliases: ["boost"])

  @OptionGroup var marking: MarkArguments

  func run() throws { try marking.run(.repost) }
}

/// `save`: saves a post.
struct SaveVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "save", abstract: "Save a post. No one is notified.",
    discussion: """
      Examples:
        stack-client save 42
        stack-client save 42 --undo
      """)

  @OptionGroup var marking: MarkArguments

  func run() throws { try marking.run(.save) }
}

/// `mute-conversation`: hides new posts of a conversation.
struct MuteConversationVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "mute-conversation",
    abstract: "Hide new posts of a conversation from your timeline and mentions. No one is notified.",
    discussion: """
      Examples:
        stack-client mute-conversation 42
        stack-client mute-conversation 42 --undo
        stack-client muted
      """)

  @OptionGroup var marking: MarkArguments

  func run() throws { try marking.run(.mute) }
}

/// The arguments of these verbs.
struct MarkArguments: ParsableArguments {
  /// The verbs.
  static let verbs: [any ParsableCommand.Type] = [
    FavouriteVerb.self, RepostVerb.self, SaveVerb.self, MuteConversationVerb.self,
  ]

  @OptionGroup var subject: PostArgument

  @Flag(help: "Undo it.")
  var undo = false

  @OptionGroup var options: CommonOptions

  func run(_ kind: MarkKind) throws {
    try ClientContext.run(options) { context in
      var request = MarkRequest(kind, post: subject.post, isUnmark: undo)
      request.requestID = try RequestID.make()
      let answer: MarkResponse = try context.command(Method.mark, request)
      try context.write(answer.record)
    }
  }
}
