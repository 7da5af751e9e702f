internal import ArgumentParser
internal import ClientCore
internal import Messages

/// The audience and the destination of a post, its content warning and its language.
struct DestinationOptions: ParsableArguments {
  /// The audience of a post.
  enum Visibility: String, CaseIterable, ExpressibleByArgument {
    case `public`, followers, direct

    /// The visibility of the schema.
    fileprivate var choice: ComposeVisibility {
      switch self {
      case .public: .everybody
      case .followers: .followers
      case .direct: .direct
      }
    }
  }

  @Option(
    help: ArgumentHelp(
      """
      Who may see it: everyone, your followers, or the accounts it mentions with @. Your followers are those you \
      approved, or, where `stack-client status` shows follows: open, everybody here who follows you, and anyone can.
      """,
      valueName: "who"))
  var visibility: Visibility?

  @Option(
    help: ArgumentHelp(
      "Where to post: a source configured with the daemon's --upstream, or stack to keep it here. A reply goes to the source of its post.",
      valueName: "name"))
  var source: String?

  @Option(
    help: ArgumentHelp("A line to show in place of the text until a reader wants to see it.", valueName: "text"))
  var warning: String?

  @Option(help: ArgumentHelp("The language of the text, such as en or pt-BR.", valueName: "tag"))
  var language: String?

  /// True if the post is for everyone on this daemon. The daemon checks the names of a direct post itself.
  var isPublicHere: Bool { (visibility ?? .public) == .public && source == nil }

  /// Returns the request that writes a post, as a reply if `parent` is not empty. Without an option it is for those for
  /// whom its draft was written, or for everyone.
  func request(
    _ text: String, answering parent: String, draft: DraftSummary? = nil
  ) throws(ClientFailure) -> ComposeRequest {
    var request = ComposeRequest(text: text)
    request.inReplyTo = parent
    request.visibility = visibility?.choice ?? draft?.visibility ?? .everybody
    request.source = source ?? ""
    request.contentWarning = warning ?? draft?.contentWarning ?? ""
    request.language = language ?? draft?.language ?? ""
    request.requestID = try RequestID.make()
    request.draftID = draft?.draftID ?? 0
    return request
  }
}
