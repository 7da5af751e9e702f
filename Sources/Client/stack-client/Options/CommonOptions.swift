public import ArgumentParser
public import ClientCore
internal import UV
internal import ViewState

extension ColorChoice: ExpressibleByArgument {}

/// The style of time labels, by its name on the command line.
enum TimeWords: String, CaseIterable, ExpressibleByArgument {
  case veryShort = "very-short"
  case words
  case short
  case long

  /// The style of the schema.
  var style: LayoutParameters.TimeStyle {
    switch self {
    case .veryShort: .veryShort
    case .words: .words
    case .short: .short
    case .long: .long
    }
  }
}

/// The options of every verb.
struct CommonOptions: ParsableArguments {
  @Flag(help: "Print one JSON value.")
  var json = false

  @Flag(help: "Print one JSON object per line.")
  var jsonl = false

  @Flag(help: "Print tab-separated values, one row per line.")
  var plain = false

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Width in columns (default: the width of the terminal, or 80).", valueName: "N"))
  var width: Int?

  @Option(
    help: ArgumentHelp(
      "Language of times, such as de or pt-BR (default on a terminal: $LC_ALL, $LC_TIME or $LANG).", valueName: "tag"))
  var locale: String?

  @Option(help: ArgumentHelp("Style of times.", valueName: "style"))
  var times = TimeWords.veryShort

  @Option(
    help: ArgumentHelp(
      "Socket of the daemon (default: $STACK_SOCKET, or $XDG_RUNTIME_DIR/stack/daemon.sock).", valueName: "path"),
    completion: .file())
  var socket: String?

  @Option(help: ArgumentHelp("Connect over TCP, with a token (default: $STACK_CONNECT).", valueName: "host:port"))
  var connect: String?

  @Option(
    help: ArgumentHelp(
      "File with the token for --connect, readable only by you (default: $STACK_TOKEN).", valueName: "path"),
    completion: .file())
  var tokenFile: String?

  @Option(help: ArgumentHelp("When to use colour.", valueName: "when"))
  var color = ColorChoice.auto

  @Flag(name: .shortAndLong, help: "Print no notices and no progress.")
  var quiet = false

  /// The requested format.
  var format: RowFormat {
    if json { return .json }
    if jsonl { return .jsonl }
    return plain ? .plain : .lines
  }

  /// True if errors are JSON objects too.
  var wantsJSON: Bool { json || jsonl }

  func validate() throws {
    if [json, jsonl, plain].filter(\.self).count > 1 {
      throw ValidationError("--json, --jsonl and --plain cannot be combined")
    }
    if let width, !(1...10_000).contains(width) {
      throw ValidationError("--width must be 1 to 10000, not \(width)")
    }
    if let socket, socket.isEmpty { throw ValidationError("--socket needs a path") }
    if socket != nil && connect != nil { throw ValidationError("--socket and --connect cannot be combined") }
    if let connect, SocketAddress(connect) == nil {
      throw ValidationError("--connect must be HOST:PORT with a numeric host, such as 127.0.0.1:7825, not '\(connect)'")
    }
  }
}

/// The post that a verb acts on.
struct PostArgument: ParsableArguments {
  @Argument(help: ArgumentHelp("A post: its ID, or source:native-id.", valueName: "id"))
  var post: String

  func validate() throws { try PostReference.check(post) }
}

extension PostReference {
  /// Refuses a word that cannot name a post, before asking a daemon.
  static func check(_ text: String) throws {
    guard isPlausible(text) else {
      throw ValidationError("'\(text)' is not a post: give an ID or source:native-id")
    }
  }
}
