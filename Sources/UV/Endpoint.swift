/// The address where a daemon listens and a client connects.
public enum Endpoint: Sendable, Hashable, CustomStringConvertible {
  /// A Unix socket. The path must be shorter than 108 bytes (unix(7)).
  case unix(path: String)
  /// A TCP port.
  case tcp(SocketAddress)

  /// Maximum bytes of a Unix socket's path: `sun_path` of unix(7) without the terminating zero.
  public static let maximumPathBytes = 107

  /// The form used in messages to people.
  public var description: String {
    switch self {
    case .unix(let path): path
    case .tcp(let address): address.description
    }
  }
}
