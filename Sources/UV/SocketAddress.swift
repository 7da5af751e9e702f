internal import CUV

/// A numeric IP address with a port. Names are not resolved: a daemon that binds to loopback does not need them.
public struct SocketAddress: Sendable, Hashable, CustomStringConvertible {
  /// The numeric address: `127.0.0.1`, `::1`.
  public let host: String
  /// The port; 0 asks the kernel for a free one.
  public let port: UInt16
  /// True if packets to it cannot leave the machine.
  public let isLoopback: Bool

  /// Parses a numeric address, or the name `localhost`, which means 127.0.0.1. Returns nil for anything else.
  public init?(host: String, port: UInt16) {
    let numeric = host == "localhost" ? "127.0.0.1" : host
    var storage = sockaddr_storage()
    guard unsafe cuv_numeric_address(numeric, port, &storage) == 0 else { return nil }
    self.host = numeric
    self.port = port
    isLoopback = unsafe cuv_is_loopback(&storage) != 0
  }

  /// Parses `host:port`, or `[host]:port` for IPv6, as on a command line. Returns nil for anything else.
  public init?(_ text: String) {
    guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else { return nil }
    var host = text[..<colon]
    if host.hasPrefix("[") && host.hasSuffix("]") {
      host = host.dropFirst().dropLast()
    } else if host.contains(":") {
      return nil
    }
    self.init(host: String(host), port: port)
  }

  /// `host:port`, or `[host]:port` for IPv6.
  public var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }

  /// Passes the address to `body` as a C structure.
  func withPointer(_ body: (UnsafePointer<sockaddr>) -> Int32) -> Int32 {
    var storage = sockaddr_storage()
    let status = unsafe cuv_numeric_address(host, port, &storage)
    guard status == 0 else { return status }
    return unsafe withUnsafePointer(to: &storage) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe body($0) }
    }
  }
}
