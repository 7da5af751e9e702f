internal import Server
internal import Services
internal import UV

/// An invalid command line, with one line that describes the problem.
struct UsageError: Error {
  let message: String
}

/// The daemon's command line.
///
/// Parsed by hand instead of by a library: there are few options, and the library would bring in Foundation, which
/// costs more memory than the rest of an idle daemon (docs/adr/0004).
struct Options {
  static let help = """
    Usage: stack-daemon [OPTION]...

    Keeps a timeline and serves it to any number of clients. stack-client starts it when it is needed.

      stack-daemon                          serve this user on the usual socket
      stack-daemon --group staff            share the socket with a group
      stack-daemon --listen 127.0.0.1:7825  also serve clients with a token over TCP

    Options:
      --socket PATH      the Unix socket (default $XDG_RUNTIME_DIR/stack/daemon.sock)
      --group NAME       let members of this group connect too
      --listen HOST:PORT also listen on a loopback address; clients need a token
      --token-file PATH  the token's file, created if missing (default $XDG_STATE_HOME/stack/token)
      --max-connections N  connections that may be open at once (default 1024)
      --upstream NAME=COMMAND  carry out actions on posts from source NAME through this
                         program (docs/UPSTREAM.md); may be repeated
      --upstream-patience SECONDS  resend a command unanswered for this long (default 30)
      --store PATH       the store's file, created if missing (default $XDG_DATA_HOME/stack/store.db)
      --clock CLOCK      the clock: system, frozen:INSTANT or from:INSTANT, such as from:2026-03-01T12:00:00Z
      --version          print the version
      --help             print this help
    """

  var transport = TransportConfiguration()
  var tokenPath: String
  var storePath: String
  /// True if the command line names the store.
  var namesStore = false
  var clock = DaemonClock.system
  var upstreams: [(source: String, command: [String])] = []
  var upstreamPatience = Duration.seconds(30)
  var wantsHelp = false
  var wantsVersion = false

  /// Defaults, with files in the working folder.
  init() {
    tokenPath = "token"
    storePath = "store.db"
  }

  /// Parses a command line; defaults come from the XDG base directories.
  init(arguments: [String], environment: (String) -> String?) throws(UsageError) {
    func directory(_ variable: String, _ fallback: String) -> String {
      let value = environment(variable) ?? ""
      // The specification says to ignore relative paths.
      let base = value.hasPrefix("/") ? value : "\(environment("HOME") ?? "")/\(fallback)"
      return "\(base)/stack"
    }
    tokenPath = "\(directory("XDG_STATE_HOME", ".local/state"))/token"
    storePath = "\(directory("XDG_DATA_HOME", ".local/share"))/store.db"
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      switch argument {
      case "--help", "-h": wantsHelp = true
      case "--version": wantsVersion = true
      case "--socket": transport.socketPath = try Self.value(of: argument, &rest)
      case "--group": transport.group = try Self.value(of: argument, &rest)
      case "--token-file": tokenPath = try Self.value(of: argument, &rest)
      case "--store":
        storePath = try Self.value(of: argument, &rest)
        namesStore = true
      case "--clock":
        let value = try Self.value(of: argument, &rest)
        guard let clock = DaemonClock(value) else {
          let message =
            "--clock \(value) is not system, frozen:INSTANT or from:INSTANT with an instant such as 2026-03-01T12:00:00Z"
          throw UsageError(message: message)
        }
        self.clock = clock
      case "--max-connections":
        let value = try Self.value(of: argument, &rest)
        guard let count = Int(value), (1...1_000_000).contains(count) else {
          throw UsageError(message: "--max-connections \(value) is not a number from 1 to 1000000")
        }
        transport.maximumConnections = count
      case "--upstream":
        let upstream = try Self.upstream(try Self.value(of: argument, &rest))
        guard !upstreams.contains(where: { $0.source == upstream.source }) else {
          throw UsageError(
            message: "--upstream names source \(upstream.source) twice; a source can have one program")
        }
        upstreams.append(upstream)
      case "--upstream-patience":
        let value = try Self.value(of: argument, &rest)
        guard let seconds = Double(value), (0.01...86_400).contains(seconds) else {
          throw UsageError(message: "--upstream-patience \(value) is not a number of seconds from 0.01 to 86400")
        }
        upstreamPatience = .milliseconds(Int(seconds * 1000))
      case "--listen":
        let value = try Self.value(of: argument, &rest)
        guard let address = SocketAddress(value) else {
          throw UsageError(message: "--listen \(value) is not HOST:PORT with a numeric host, such as 127.0.0.1:7825")
        }
        transport.listen = address
      default: throw UsageError(message: "unknown option \(argument)")
      }
    }
    if transport.socketPath == nil { transport.socketPath = Endpoint.defaultSocketPath }
  }

  /// Parses the value of `--upstream`: a source, and a program with its arguments, separated by spaces.
  private static func upstream(_ value: String) throws(UsageError) -> (source: String, command: [String]) {
    let usage = "--upstream \(value) is not NAME=COMMAND, such as fake=/usr/local/bin/fake --verbose"
    guard let sign = value.firstIndex(of: "=") else { throw UsageError(message: usage) }
    let source = String(value[..<sign])
    let command = value[value.index(after: sign)...].split(separator: " ").map(String.init)
    let isName = source.utf8.allSatisfy { byte in
      (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte) || byte == UInt8(ascii: "-")
        || byte == UInt8(ascii: "_")
    }
    guard !source.isEmpty, source.utf8.count <= 64, isName, !command.isEmpty else { throw UsageError(message: usage) }
    guard source != "stack" else {
      throw UsageError(message: "--upstream stack: the source stack is this daemon itself")
    }
    return (source, command)
  }

  private static func value(of option: String, _ rest: inout ArraySlice<String>) throws(UsageError) -> String {
    guard let value = rest.popFirst(), !value.isEmpty else { throw UsageError(message: "\(option) needs a value") }
    return value
  }
}
