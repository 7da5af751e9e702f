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
  /// Connections that may be open at once; one more is closed as soon as it comes. A quarter of them is for the Unix
  /// socket alone, and only a quarter may be over TCP without a token. Nil for 1,024, or fewer where the process may
  /// not have so many descriptors.
  public var maximumConnections: Int?
  /// How long a client over TCP may be without a call that is being served and before one that shows a token.
  public var strangerTimeout = Duration.seconds(10)
  /// How long a socket whose file was taken away is left so.
  public var socketDelay = Duration.seconds(1)
  /// How often a socket whose file was taken away, and that could not be bound again, is looked after.
  public var socketInterval = Duration.seconds(10)
  /// In how long a time the log has at most one line about connections of one kind that were refused.
  public var refusalInterval = Duration.seconds(10)
  /// What one connection may cost.
  public var limits = ConnectionLimits()
  /// How long a client may take nothing of what the kernel holds for it.
  public var stallTimeout = Duration.seconds(60)
  /// How long open calls may go on once the daemon is told to stop.
  public var shutDownGrace = Duration.seconds(5)
  /// Told of what went wrong with a connection or in accepting one: one line each.
  public var log: (String) -> Void = { _ in }

  /// Listens nowhere.
  public init() {}

  /// Connections that may be open at once unless somebody says how many.
  public static let usualConnections = 1024

  /// Descriptors that the daemon may need beside one for each connection: the store's files, the loop's own, listeners,
  /// imports.
  private static let otherDescriptors = 64

  /// Sees that there are descriptors for the connections, and says how many connections there may be.
  ///
  /// - Throws: `tooFewDescriptors` if a number was asked for that this process may not have.
  func allowedConnections() throws(TransportError) -> Int {
    let wanted = maximumConnections ?? Self.usualConnections
    let allowed = Process.allowDescriptors(wanted + Self.otherDescriptors) - Self.otherDescriptors
    guard allowed < wanted else { return wanted }
    guard maximumConnections == nil, allowed > 0 else {
      throw .tooFewDescriptors(connections: wanted, needed: wanted + Self.otherDescriptors)
    }
    log(
      "at most \(allowed) connections, since this process may not have more descriptors; raise \"ulimit -Hn\" for more")
    return allowed
  }
}
