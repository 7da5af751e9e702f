internal import Mastodon

/// An invalid command line, with one line that describes the problem.
struct UsageError: Error {
  let message: String
}

/// The command line. It is parsed by hand, as the daemon's is: a library would bring in Foundation.
struct Options {
  /// What to do.
  enum Mode {
    case connector, help, version
  }

  static let help = """
    Usage: stack-mastodon [--ca FILE] [--folder PATH] [--markers WAY]

    Reads the timelines of logins at servers of Mastodon's kind for stack-daemon, which starts it when somebody signs
    in. It speaks the protocol of docs/UPSTREAM.md on its standard input and output, keeps only tokens on its disk, and
    ends with its input.

    Options:
      --ca FILE      trust the certificates in this file instead of the system's
      --folder PATH  keep the tokens here (default $XDG_STATE_HOME/stack/sources/mastodon)
      --markers WAY  sync reading positions with servers: both (the default), take (only from the server), give (only to
                     the server) or off
      --version      print the version
      --help         print this help
    """

  private(set) var mode = Mode.connector
  private(set) var authorities: String?
  private(set) var folder: String?
  private(set) var markers = LoginMarkers.Direction.both

  init(_ arguments: [String]) throws(UsageError) {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      switch argument {
      case "-h", "--help": mode = .help
      case "--version": mode = .version
      case "--ca":
        guard let file = rest.popFirst() else { throw UsageError(message: "--ca needs a file") }
        authorities = file
      case "--folder":
        guard let path = rest.popFirst() else { throw UsageError(message: "--folder needs a path") }
        folder = path
      case "--markers":
        let words = LoginMarkers.Direction.allCases.map(\.rawValue).joined(separator: ", ")
        guard let word = rest.popFirst(), let way = LoginMarkers.Direction(rawValue: word) else {
          throw UsageError(message: "--markers needs one of: \(words)")
        }
        markers = way
      default: throw UsageError(message: "unknown argument: '\(argument)'")
      }
    }
  }
}
