public import UV

/// The reason that a client cannot reach the daemon; its description is one line that says what to do.
public enum ChannelError: Error, Sendable, Hashable, CustomStringConvertible {
  /// There is no socket at the path: no daemon has run, or it shut down cleanly.
  case noSuchSocket(path: String)
  /// There is a socket, or a host, but no listener: the daemon crashed or has not started.
  case refused(Endpoint)
  /// The permissions of the socket or of its directory forbid it.
  case permissionDenied(Endpoint)
  /// The socket's path is longer than the kernel allows.
  case pathTooLong(path: String)
  /// There was no response within the time limit.
  case timedOut(Endpoint)
  /// Any other error.
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

  /// True if starting a daemon would help.
  public var isDaemonMissing: Bool {
    switch self {
    case .noSuchSocket, .refused: true
    case .permissionDenied, .pathTooLong, .timedOut, .failed: false
    }
  }

  public var description: String {
    switch self {
    case .noSuchSocket(let path):
      "no daemon is running: there is no socket at \(path); start one, or choose another with --socket"
    case .refused(.tcp(let address)):
      "no daemon listens on \(address); `stack-client daemon stop`, then `daemon start --listen \(address)`, makes yours listen there"
    case .refused(let endpoint):
      "no daemon is running: nothing listens on \(endpoint); start one, or choose another with --socket"
    case .permissionDenied(let endpoint):
      "permission denied: \(endpoint) belongs to another user; ask them for access with --group, or choose another with --socket"
    case .pathTooLong(let path):
      "\(path) is \(path.utf8.count) bytes long; a socket path may have \(Endpoint.maximumPathBytes), so choose a shorter one"
    case .timedOut(let endpoint): "the daemon on \(endpoint) did not respond in time; it may be busy or stopped"
    case .failed(let endpoint, let error): "cannot connect to \(endpoint): \(error)"
    }
  }
}
