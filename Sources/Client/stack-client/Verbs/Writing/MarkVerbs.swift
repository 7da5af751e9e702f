internal import ArgumentParser
internal import ClientCore
internal import Messages
internal import ViewState

/// `favourite`: likes a post.
struct FavouriteVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "favourite", abstract: "Favourite a post.",
    discussion: """
      Examples:
        stack-client favourite 42
        stack-client favourite 42 --undo
      """, aliases: ["fav"])

  @OptionGroup var marking: MarkArguments

  func run() throws { try marking.run(.favourite) }
}

/// `repost`: passes a post on.
struct RepostVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "repost", abstract: "Repost a post that everybody may see; the repost's number is printed.",
    discussion: """
      Examples:
        stack-client repost 42
        stack-client repost 42 --undo
      """, aliases: ["boost"])

  @OptionGroup var marking: MarkArguments

  func run() throws { try marking.run(.repost) }
}

/// `save`: keeps a post.
struct SaveVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "save", abstract: "Save a post; nobody else is told.",
    discussion: """
      Examples:
        stack-client save 42
        stack-client save 42 --undo
      """)

  @OptionGroup var marking: MarkArguments

  func run() throws { try marking.run(.save) }
}

/// `mute-conversation`: what comes to a conversation stays where it is.
struct MuteConversationVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "mute-conversation",
    abstract: "Keep new posts of a conversation out of your timeline and mentions; nobody else is told.",
    discussion: """
      Examples:
        stack-client mute-conversation 42
        stack-client mute-conversation 42 --undo
        stack-client muted
      """)

  @OptionGroup var marking: MarkArguments

  func run() throws { try marking.run(.mute) }
}

/// What these verbs are told.
struct MarkArguments: ParsableArguments {
  /// These verbs.
  static let verbs: [any ParsableCommand.Type] = [
    FavouriteVerb.self, RepostVerb.self, SaveVerb.self, MuteConversationVerb.self,
  ]

  @OptionGroup var subject: PostArgument

  @Flag(help: "Take it back.")
  var undo = false

  @OptionGroup var options: CommonOptions

  func run(_ kind: MarkKind) throws {
    try ClientContext.run(options) { context in
      var request = MarkRequest(kind, post: subject.post, isUnmark: undo)
      request.requestID = try RequestID.make()
      let answer: MarkResponse = try context.command(Method.mark, request)
      try context.tell(answer.record)
    }
  }
}
