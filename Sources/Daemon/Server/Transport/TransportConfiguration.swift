public import RPC
public import UV

/// The daemon's listeners, the users they serve, and limits for clients.
public struct TransportConfiguration {
  /// The Unix socket's path; nil for none.
  public var socketPath: String?
  /// The group that may use the socket beside its owner; nil for the owner alone.
  public var group: String?
  /// A loopback address to listen on as well; nil for none.
  public var listen: SocketAddress?
  /// Sockets that another program, such as systemd, has bound and listens on; used instead of `socketPath`.
  public var inheritedSockets: [Int32] = []
  /// Maximum number of open connections; one more is closed at once, or takes the place of an idle one. See
  /// ``ConnectionPlaces`` for how they are divided. Nil for 1,024, or fewer if the process may not have as many
  /// descriptors.
  public var maximumConnections: Int?
  /// Time that a client over TCP may stay unauthenticated without a running call.
  public var unauthenticatedTimeout = Duration.seconds(10)
  /// Delay before a socket whose file was removed is bound again.
  public var socketDelay = Duration.seconds(1)
  /// Interval between attempts to bind such a socket after the first has failed.
  public var socketInterval = Duration.seconds(10)
  /// Interval in which the log has at most one line per kind of refused connections.
  public var refusalInterval = Duration.seconds(10)
  /// Limits of one connection.
  public var limits = ConnectionLimits()
  /// Time that a client may read nothing of what the kernel holds for it.
  public var stallTimeout = Duration.seconds(60)
  /// Time that open calls may go on after the daemon is asked to stop.
  public var shutDownGrace = Duration.seconds(5)
  /// Logs problems with connections or with accepting them, one line each.
  public var log: (String) -> Void = { _ in }

  /// A configuration without listeners.
  public init() {}

  /// Default maximum number of open connections.
  public static let usualConnections = 1024

  /// Descriptors that the daemon may need beside one per connection: the store's files, the loop's own, listeners,
  /// imports.
  private static let otherDescriptors = 64

  /// Raises the descriptor limit as needed, and returns the number of connections that it allows.
  ///
  /// - Throws: `tooFewDescriptors` if the requested number is more than this process may have.
  func allowedConnections() throws(TransportError) -> Int {
    let wanted = maximumConnections ?? Self.usualConnections
    let allowed = Process.allowDescriptors(wanted + Self.otherDescriptors) - Self.otherDescriptors
    guard allowed < wanted else { return wanted }
    guard maximumConnections == nil, allowed > 0 else {
      throw .tooFewDescriptors(connections: wanted, needed: wanted + Self.otherDescriptors)
    }
    log(
      "at most \(allowed) connections: this process may not open more files; raise \"ulimit -Hn\" for more")
    return allowed
  }
}
