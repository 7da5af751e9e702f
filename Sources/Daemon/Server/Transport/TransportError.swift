public import UV

/// Why the daemon cannot listen, as one line that says what to do.
public enum TransportError: Error, Sendable, Hashable, CustomStringConvertible {
  /// Another daemon has the socket.
  case alreadyRunning(path: String, process: Int32?)
  /// Something that is no socket is where the socket should be.
  case notASocket(path: String)
  /// The socket's path is longer than the kernel allows.
  case pathTooLong(path: String)
  /// The socket's directory is open to others, or is somebody else's.
  case unsafeDirectory(path: String, reason: String)
  /// The group for `--group` does not exist, or this user is not in it.
  case group(name: String, reason: String)
  /// The address is not one of this machine alone.
  case notLoopback(SocketAddress)
  /// The token's file cannot be used.
  case tokenFile(path: String, reason: String)
  /// There are not as many descriptors to be had as the connections need.
  case tooFewDescriptors(connections: Int, needed: Int)
  /// There is no memory for a timer.
  case noTimer(UVError)
  /// The kernel refuses.
  case cannotListen(Endpoint, UVError)
  /// The kernel refuses a file or directory.
  case cannotPrepare(path: String, UVError)

  public var description: String {
    switch self {
    case .alreadyRunning(let path, let process):
      "\(FileLock.daemon(process)) is already listening on \(path); stop it, or choose another path with --socket"
    case .notASocket(let path):
      "\(path) is in the way: it is not a socket; move it, or choose another path with --socket"
    case .pathTooLong(let path):
      "\(path) has \(path.utf8.count) bytes, and a socket's path may have \(Endpoint.maximumPathBytes); "
        + "choose a shorter one with --socket"
    case .unsafeDirectory(let path, let reason):
      "the socket's directory \(path) \(reason)"
    case .group(let name, let reason):
      "--group \(name): \(reason)"
    case .notLoopback(let address):
      "--listen \(address) is refused: beyond this machine the connection would need TLS; "
        + "listen on 127.0.0.1 or [::1] and reach it through ssh -L"
    case .tokenFile(let path, let reason):
      "the token's file \(path): \(reason)"
    case .tooFewDescriptors(let connections, let needed):
      "--max-connections \(connections) needs \(needed) open files, and this process may have fewer; raise its limit "
        + "(ulimit -Hn, or LimitNOFILE= of systemd) or ask for fewer"
    case .noTimer(let error): "cannot make a timer: \(error)"
    case .cannotListen(let endpoint, let error):
      error == .addressInUse
        ? "cannot listen on \(endpoint): something else does already; choose another with --listen"
        : "cannot listen on \(endpoint): \(error)"
    case .cannotPrepare(let path, let error):
      "cannot use \(path): \(error)"
    }
  }

  /// Does something with a path, and names the path if it fails.
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
