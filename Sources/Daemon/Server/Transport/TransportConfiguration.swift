public import RPC
public import UV

/// Where the daemon listens, for whom, and how much a client may cost.
public struct TransportConfiguration {
  /// The Unix socket's path; nil for none.
  public var socketPath: String?
  /// The group that may use the socket beside its owner; nil for the owner alone.
  public var group: String?
  /// A loopback address to listen on as well; nil for none.
  public var listen: SocketAddress?
  /// Sockets that somebody else, systemd for one, bound and listens on; they are used instead of `socketPath`.
  public var inheritedSockets: [Int32] = []
  /// Connections that may be open at once. One more is closed as soon as it comes.
  public var maximumConnections = 1024
  /// What one connection may cost.
  public var limits = ConnectionLimits()
  /// How long open calls may go on once the daemon is told to stop.
  public var shutDownGrace = Duration.seconds(5)
  /// Told of what went wrong with a connection or in accepting one: one line each.
  public var log: (String) -> Void = { _ in }

  /// Listens nowhere.
  public init() {}
}
