internal import ArgumentParser
internal import ClientCore
internal import Messages

/// The content and the width of a new pane.
struct PaneSubject: ParsableArguments {
  /// The kind of content.
  enum Kind: String, CaseIterable, ExpressibleByArgument {
    case conversation, author, list, search, direct
  }

  @Argument(help: ArgumentHelp("What to show.", valueName: "kind"))
  var kind: Kind

  @Argument(
    help: ArgumentHelp("The post, author, list, query, or number of the direct conversation.", valueName: "what"))
  var words: [String]

  @Option(
    name: .customLong("pane-width"), parsing: .unconditional,
    help: ArgumentHelp("Width of the pane (0: the default of 58 cells).", valueName: "N"))
  var paneWidth = 0

  private var what: String { words.joined(separator: " ") }

  func validate() throws {
    if kind != .search && words.count != 1 {
      throw ValidationError("this kind of pane takes one argument, not \(words.count)")
    }
    if !(0...10_000).contains(paneWidth) {
      throw ValidationError("--pane-width must be 0 to 10000, not \(paneWidth)")
    }
    switch kind {
    case .conversation: try PostReference.check(what)
    case .author: try AuthorArgument.check(what)
    case .direct where PostReference.number(what) == nil:
      throw ValidationError("'\(what)' is not the number of a direct conversation: `stack-client messages` shows them")
    default: break
    }
  }

  /// Returns the request that opens the pane from another, 0 for the topmost.
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
