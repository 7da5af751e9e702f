internal import ArgumentParser
internal import ClientCore
internal import Messages
internal import ViewState

/// `favourite`: marks a post as a favourite.
struct FavouriteVerb: MarkingVerb {
  static let kind = MarkKind.favourite

  static let configuration = CommandConfiguration(
    commandName: "favourite", abstract: "Mark a post as a favourite.",
    discussion: """
      Examples:
        stack-client favourite 42
        stack-client favourite 42 --undo
      """, aliases: ["fav"])

  @OptionGroup var subject: PostArgument

  @Flag(help: "Undo it.")
  var undo = false

  @OptionGroup var options: CommonOptions
}

/// `repost`: reposts a post.
struct RepostVerb: MarkingVerb {
  static let kind = MarkKind.repost

  static let configuration = CommandConfiguration(
    commandName: "repost", abstract: "Repost a public post; prints the ID of the repost.",
    discussion: """
      Examples:
        stack-client repost 42
        stack-client repost 42 --undo
      """, aliases: ["boost"])

  @OptionGroup var subject: PostArgument

  @Flag(help: "Undo it.")
  var undo = false

  @OptionGroup var options: CommonOptions
}

/// `save`: saves a post.
struct SaveVerb: MarkingVerb {
  static let kind = MarkKind.save

  static let configuration = CommandConfiguration(
    commandName: "save", abstract: "Save a post. No one is notified.",
    discussion: """
      Examples:
        stack-client save 42
        stack-client save 42 --undo
      """)

  @OptionGroup var subject: PostArgument

  @Flag(help: "Undo it.")
  var undo = false

  @OptionGroup var options: CommonOptions
}

/// `mute-conversation`: hides new posts of a conversation.
struct MuteConversationVerb: MarkingVerb {
  static let kind = MarkKind.mute

  static let configuration = CommandConfiguration(
    commandName: "mute-conversation",
    abstract: "Hide new posts of a conversation from your timeline and mentions. No one is notified.",
    discussion: """
      Examples:
        stack-client mute-conversation 42
        stack-client mute-conversation 42 --undo
        stack-client muted
      """)

  @OptionGroup var subject: PostArgument

  @Flag(help: "Undo it.")
  var undo = false

  @OptionGroup var options: CommonOptions
}

/// A verb that marks a post. Each declares its own arguments: the parser of a debug build checks a group within a group
/// four times as often.
protocol MarkingVerb: ParsableCommand {
  /// The mark.
  static var kind: MarkKind { get }

  var subject: PostArgument { get }

  /// True if the mark is removed.
  var undo: Bool { get }

  var options: CommonOptions { get }
}

extension MarkingVerb {
  func run() throws {
    try ClientContext.run(options) { context in
      var request = MarkRequest(Self.kind, post: subject.post, isUnmark: undo)
      request.requestID = try RequestID.make()
      let answer: MarkResponse = try context.command(Method.mark, request)
      try context.write(answer.record)
    }
  }
}
