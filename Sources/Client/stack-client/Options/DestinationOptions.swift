internal import ArgumentParser
internal import ClientCore
internal import Messages

/// Who is to see a post, and where it goes.
struct DestinationOptions: ParsableArguments {
  /// Who may see a post.
  enum Visibility: String, CaseIterable, ExpressibleByArgument {
    case `public`, followers, direct

    /// The visibility in the schema.
    fileprivate var choice: ComposeVisibility {
      switch self {
      case .public: .everybody
      case .followers: .followers
      case .direct: .direct
      }
    }
  }

  @Option(
    help: ArgumentHelp("Who may see it: public, followers, or direct for those it names with @.", valueName: "who"))
  var visibility = Visibility.public

  @Option(
    help: ArgumentHelp(
      "Where it goes: a source that the daemon's --upstream names, or stack for nowhere else. An answer goes where the post is.",
      valueName: "name"))
  var source: String?
}

extension ClientContext {
  /// Writes a post, which answers another where that is not empty.
  func compose(
    _ text: String, answering parent: String, _ destination: DestinationOptions, draft: UInt64 = 0
  ) throws(ClientFailure) -> ComposeResponse {
    var request = ComposeRequest(text: text)
    request.inReplyTo = parent
    request.visibility = destination.visibility.choice
    request.source = destination.source ?? ""
    request.requestID = try RequestID.make()
    request.draftID = draft
    return try command(Method.compose, request)
  }
}
