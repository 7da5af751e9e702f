internal import ArgumentParser
internal import ClientCore
internal import Messages

/// What a new pane is to show, and how wide it wants to be.
struct PaneSubject: ParsableArguments {
  /// What kinds there are.
  enum Kind: String, CaseIterable, ExpressibleByArgument {
    case conversation, author, list, search, direct
  }

  @Argument(help: ArgumentHelp("conversation, author, list, search or direct.", valueName: "kind"))
  var kind: Kind

  @Argument(
    help: ArgumentHelp("A post, an author, a list, words, or the number of a direct conversation.", valueName: "what"))
  var words: [String]

  @Option(name: .customLong("pane-width"), help: ArgumentHelp("The width it wants; 58 cells.", valueName: "N"))
  var paneWidth = 0

  private var what: String { words.joined(separator: " ") }

  func validate() throws {
    if kind != .search && words.count != 1 {
      throw ValidationError("a pane of this kind is about one thing, not \(words.count)")
    }
    if !(0...10_000).contains(paneWidth) {
      throw ValidationError("--pane-width is \(paneWidth); 0 to 10000 is possible")
    }
    switch kind {
    case .conversation: try PostReference.check(what)
    case .author: try AuthorArgument.check(what)
    case .direct where PostReference.number(what) == nil:
      throw ValidationError("'\(what)' is no number of a direct conversation: `stack-client messages` prints them")
    default: break
    }
  }

  /// The request that opens it from a pane, 0 for the topmost.
  func request(from pane: UInt64, _ session: SessionOptions) throws(ClientFailure) -> PushRequest {
    var request = PushRequest(subject)
    request.command = try session.command()
    request.fromPane = pane
    request.width = paneWidth
    return request
  }

  private var subject: Subject {
    switch kind {
    case .conversation: .conversation(what)
    case .author: .author(AuthorArgument.reference(what))
    case .list: .list(what)
    case .search: .search(what)
    case .direct: .direct(PostReference.number(what) ?? 0)
    }
  }
}
