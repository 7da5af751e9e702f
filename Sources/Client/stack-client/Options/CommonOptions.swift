public import ArgumentParser
public import ClientCore
internal import UV
internal import ViewState

extension ColorChoice: ExpressibleByArgument {}

/// How times are put into words, by the names of the command line.
enum TimeWords: String, CaseIterable, ExpressibleByArgument {
  case veryShort = "very-short"
  case words
  case short
  case long

  /// The style in the schema.
  var style: LayoutParameters.TimeStyle {
    switch self {
    case .veryShort: .veryShort
    case .words: .words
    case .short: .short
    case .long: .long
    }
  }
}

/// The options that every verb has.
struct CommonOptions: ParsableArguments {
  @Flag(help: "Write one JSON value.")
  var json = false

  @Flag(help: "Write one JSON object a line.")
  var jsonl = false

  @Flag(help: "Write TAB-separated values, one row a line.")
  var plain = false

  @Option(help: ArgumentHelp("Lay out for N columns; the terminal's width, or 80.", valueName: "N"))
  var width: Int?

  @Option(
    help: ArgumentHelp(
      "Language of times, such as de or pt-BR; on a terminal $LC_ALL, $LC_TIME or $LANG.", valueName: "tag"))
  var locale: String?

  @Option(help: ArgumentHelp("Words of times: very-short, words, short or long.", valueName: "style"))
  var times = TimeWords.veryShort

  @Option(
    help: ArgumentHelp(
      "Where the daemon listens; $STACK_SOCKET, or $XDG_RUNTIME_DIR/stack/daemon.sock.", valueName: "path"))
  var socket: String?

  @Option(help: ArgumentHelp("A daemon that listens on TCP, with a token; $STACK_CONNECT.", valueName: "host:port"))
  var connect: String?

  @Option(
    help: ArgumentHelp(
      "The file of the token for --connect, that only you may read; or $STACK_TOKEN.", valueName: "path"))
  var tokenFile: String?

  @Option(help: ArgumentHelp("Colour: auto, always or never.", valueName: "when"))
  var color = ColorChoice.auto

  @Flag(name: .shortAndLong, help: "Write no notices and no progress.")
  var quiet = false

  /// The one format asked for.
  var format: RowFormat {
    if json { return .json }
    if jsonl { return .jsonl }
    return plain ? .plain : .lines
  }

  /// Whether errors are objects too.
  var wantsJSON: Bool { json || jsonl }

  func validate() throws {
    if [json, jsonl, plain].filter(\.self).count > 1 {
      throw ValidationError("--json, --jsonl and --plain exclude each other")
    }
    if let width, !(1...10_000).contains(width) {
      throw ValidationError("--width is \(width); 1 to 10000 is possible")
    }
    if let socket, socket.isEmpty { throw ValidationError("--socket has no path") }
    if socket != nil && connect != nil { throw ValidationError("--socket and --connect exclude each other") }
    if let connect, SocketAddress(connect) == nil {
      throw ValidationError("--connect \(connect) is not HOST:PORT with a numeric host, such as 127.0.0.1:7825")
    }
  }
}

/// The one post that a verb is about.
struct PostArgument: ParsableArguments {
  @Argument(help: ArgumentHelp("A post: its number, or source:native-id.", valueName: "id"))
  var post: String

  func validate() throws { try PostReference.check(post) }
}

extension PostReference {
  /// Refuses a word that cannot name a post, before a daemon is asked.
  static func check(_ text: String) throws {
    guard isPlausible(text) else {
      throw ValidationError("'\(text)' does not name a post: a number or source:native-id does")
    }
  }
}
