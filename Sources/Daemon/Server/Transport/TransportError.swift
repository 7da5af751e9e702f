public import UV

/// The reason the daemon cannot listen, described in one line that says what to do.
public enum TransportError: Error, Sendable, Hashable, CustomStringConvertible {
  /// Another daemon is using the socket.
  case alreadyRunning(path: String, process: Int32?)
  /// The socket's path leads to something that is not a socket.
  case notASocket(path: String)
  /// The socket's path is longer than the kernel allows.
  case pathTooLong(path: String)
  /// The socket's directory is accessible to other users, or belongs to one.
  case unsafeDirectory(path: String, reason: String)
  /// The socket's lock file is not a regular file, or belongs to another user.
  case unusableLock(path: String, FileLock.Problem)
  /// The group for `--group` does not exist, or this user is not a member.
  case group(name: String, reason: String)
  /// The address is not a loopback address.
  case notLoopback(SocketAddress)
  /// The token's file cannot be used.
  case tokenFile(path: String, reason: String)
  /// The process may not have as many descriptors as the connections need.
  case tooFewDescriptors(connections: Int, needed: Int)
  /// There is no memory for a timer.
  case noTimer(UVError)
  /// The kernel refuses to listen on an endpoint.
  case cannotListen(Endpoint, UVError)
  /// The kernel refuses an operation on a file or directory.
  case cannotPrepare(path: String, UVError)

  public var description: String {
    switch self {
    case .alreadyRunning(let path, let process):
      "\(FileLock.daemon(process)) is already listening on \(path); stop it, or choose another path with --socket"
    case .notASocket(let path):
      "\(path) exists and is not a socket; move it, or choose another path with --socket"
    case .pathTooLong(let path):
      "\(path) has \(path.utf8.count) bytes, but a socket path may have at most \(Endpoint.maximumPathBytes); "
        + "choose a shorter one with --socket"
    case .unsafeDirectory(let path, let reason):
      "the socket directory \(path) \(reason)"
    case .unusableLock(let path, let problem): "the lock file \(path) \(problem.advice)"
    case .group(let name, let reason):
      "--group \(name): \(reason)"
    case .notLoopback(let address):
      "--listen \(address) is refused: connections from other machines would need TLS; "
        + "listen on 127.0.0.1 or [::1] and connect through ssh -L"
    case .tokenFile(let path, let reason):
      "the token file \(path): \(reason)"
    case .tooFewDescriptors(let connections, let needed):
      "--max-connections \(connections) needs \(needed) open files, but this process may have fewer; raise its limit "
        + "(ulimit -Hn, or LimitNOFILE= in systemd) or allow fewer connections"
    case .noTimer(let error): "cannot create a timer: \(error)"
    case .cannotListen(let endpoint, let error):
      error == .addressInUse
        ? "cannot listen on \(endpoint): the address is in use; choose another with --listen"
        : "cannot listen on \(endpoint): \(error)"
    case .cannotPrepare(let path, let error):
      "cannot use \(path): \(error)"
    }
  }

  /// Runs `body`, naming the path in its failure.
  static func preparing<Result>(
    _ path: String, _ body: () throws(UVError) -> Result
  ) throws(TransportError) -> Result {
    do {
      return try body()
    } catch {
      throw .cannotPrepare(path: path, error)
    }
  }
}
