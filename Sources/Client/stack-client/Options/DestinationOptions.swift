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

  /// The request that writes a post, which answers another where that is not empty.
  func request(_ text: String, answering parent: String, draft: UInt64 = 0) throws(ClientFailure) -> ComposeRequest {
    var request = ComposeRequest(text: text)
    request.inReplyTo = parent
    request.visibility = visibility.choice
    request.source = source ?? ""
    request.requestID = try RequestID.make()
    request.draftID = draft
    return request
  }
}
