/// The exit codes of `stack-client`, on which scripts may rely (docs/CLIENT.md).
public enum ExitCode: Int32, CaseIterable, Sendable {
  case done = 0
  /// Any other failure.
  case failure = 1
  /// The command line is not understood.
  case usage = 2
  /// No such post, author, list, pane, session or file.
  case notFound = 3
  /// Not allowed.
  case refused = 4
  /// No daemon can be reached.
  case unreachable = 5
  /// The daemon took too long.
  case timedOut = 6
  /// An import with `--strict` left something out.
  case partlyDone = 7
  /// Client and daemon do not understand each other.
  case versionMismatch = 8
  /// Ctrl-C: 128 plus the number of SIGINT.
  case interrupted = 130
  /// The reader of the output has closed it: 128 plus the number of SIGPIPE.
  case closedPipe = 141

  /// The name in JSON.
  public var name: String {
    switch self {
    case .done: "done"
    case .failure: "failure"
    case .usage: "usage"
    case .notFound: "not_found"
    case .refused: "refused"
    case .unreachable: "unreachable"
    case .timedOut: "timed_out"
    case .partlyDone: "partly_done"
    case .versionMismatch: "version_mismatch"
    case .interrupted: "interrupted"
    case .closedPipe: "closed_pipe"
    }
  }

  /// Creates the exit code for a call that ended with a gRPC status, by its number (statuscodes.md of gRPC).
  public init(status: UInt32) {
    switch status {
    case 0: self = .done
    // NOT_FOUND.
    case 5: self = .notFound
    // PERMISSION_DENIED, UNAUTHENTICATED.
    case 7, 16: self = .refused
    // UNAVAILABLE.
    case 14: self = .unreachable
    // DEADLINE_EXCEEDED.
    case 4: self = .timedOut
    // UNIMPLEMENTED: an older daemon without the call.
    case 12: self = .versionMismatch
    default: self = .failure
    }
  }
}
