/// An invalid command line, with one line that describes the problem.
struct UsageError: Error {
  let message: String
}

/// The command line. It is parsed by hand, as the daemon's is: a library would bring in Foundation.
struct Options {
  /// What to do.
  enum Mode {
    case connector, readOPML, writeOPML, help, version
    /// Lists what newsboat has read, according to its cache in a file.
    case readNewsboat(String)
  }

  static let help = """
    Usage: stack-feeds [--ca FILE]
           stack-feeds read-opml < subscriptions.opml
           stack-feeds write-opml < lines
           stack-feeds read-newsboat cache.db

    Reads feeds for stack-daemon, which starts it when the first feed is added. It speaks the protocol of
    docs/UPSTREAM.md on its standard input and output, keeps nothing on disk, and ends with its input.

      read-opml    prints each subscription of an OPML document, or of newsboat's urls file, as a line:
                   address, title, attributes without a meaning here, and lists, with a TAB between two
      write-opml   prints the OPML document of such lines
      read-newsboat
                   prints each item that newsboat has in its cache as read, as a line: address and title,
                   with a TAB between the two

    Options:
      --ca FILE    trust the certificates in this file instead of the system's
      --version    print the version
      --help       print this help
    """

  private(set) var mode = Mode.connector
  private(set) var authorities: String?

  init(_ arguments: [String]) throws(UsageError) {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      switch argument {
      case "-h", "--help": mode = .help
      case "--version": mode = .version
      case "read-opml": mode = .readOPML
      case "write-opml": mode = .writeOPML
      case "read-newsboat":
        guard let file = rest.popFirst() else { throw UsageError(message: "read-newsboat needs a file") }
        mode = .readNewsboat(file)
      case "--ca":
        guard let file = rest.popFirst() else { throw UsageError(message: "--ca needs a file") }
        authorities = file
      default: throw UsageError(message: "unknown argument: '\(argument)'")
      }
    }
  }
}
