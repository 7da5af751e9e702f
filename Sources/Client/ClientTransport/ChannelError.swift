public import UV

/// Why a client cannot reach the daemon, as one line that says what to do.
public enum ChannelError: Error, Sendable, Hashable, CustomStringConvertible {
  /// There is no socket at the path: no daemon has run, or it ended in good order.
  case noSuchSocket(path: String)
  /// There is a socket, or a host, and nobody listens: the daemon ended badly or has not started.
  case refused(Endpoint)
  /// The mode of the socket or of its directory forbids it.
  case permissionDenied(Endpoint)
  /// The socket's path is longer than the kernel allows.
  case pathTooLong(path: String)
  /// Nobody answered in the time allowed.
  case timedOut(Endpoint)
  /// Something else.
  case failed(Endpoint, UVError)

  init(_ error: UVError, _ endpoint: Endpoint) {
    switch (error, endpoint) {
    case (.noSuchFile, .unix(let path)): self = .noSuchSocket(path: path)
    case (.nameTooLong, .unix(let path)): self = .pathTooLong(path: path)
    case (.connectionRefused, _): self = .refused(endpoint)
    case (.permissionDenied, _), (.notPermitted, _): self = .permissionDenied(endpoint)
    case (.timedOut, _): self = .timedOut(endpoint)
    default: self = .failed(endpoint, error)
    }
  }

  /// Whether starting a daemon would help.
  public var isDaemonMissing: Bool {
    switch self {
    case .noSuchSocket, .refused: true
    case .permissionDenied, .pathTooLong, .timedOut, .failed: false
    }
  }

  public var description: String {
    switch self {
    case .noSuchSocket(let path):
      "no daemon is running: there is no socket at \(path); start one, or name another with --socket"
    case .refused(.tcp(let address)): "nobody listens on \(address); start a daemon there with --listen"
    case .refused(let endpoint):
      "no daemon is running: nobody listens on \(endpoint); start one, or name another with --socket"
    case .permissionDenied(let endpoint):
      "you may not use \(endpoint): it is another user's; ask for --group, or name your own with --socket"
    case .pathTooLong(let path):
      "\(path) has \(path.utf8.count) bytes, and a socket's path may have \(Endpoint.maximumPathBytes); choose a shorter one"
    case .timedOut(let endpoint): "the daemon on \(endpoint) did not answer in time; it may be busy or stopped"
    case .failed(let endpoint, let error): "cannot connect to \(endpoint): \(error)"
    }
  }
}
