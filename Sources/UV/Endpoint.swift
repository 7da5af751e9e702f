/// Where a daemon listens and a client connects.
public enum Endpoint: Sendable, Hashable, CustomStringConvertible {
  /// A Unix socket. The path must be shorter than 108 bytes (unix(7)).
  case unix(path: String)
  /// A TCP port.
  case tcp(SocketAddress)

  /// Bytes a Unix socket's path may have: `sun_path` of unix(7) less its closing zero.
  public static let maximumPathBytes = 107

  /// As a message to a person names it.
  public var description: String {
    switch self {
    case .unix(let path): path
    case .tcp(let address): address.description
    }
  }
}
