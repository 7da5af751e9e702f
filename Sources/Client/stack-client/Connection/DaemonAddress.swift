internal import ClientCore
internal import UV

/// The address of the daemon: a local socket, where the kernel identifies the caller, or TCP with a token.
struct DaemonAddress {
  /// The endpoint that the daemon listens on.
  let endpoint: Endpoint
  /// The token to send; nil on a Unix socket and without authentication.
  let token: String?

  /// The maximum size of a token file in bytes; a larger file is something else.
  private static let tokenFileBytes = 4096

  /// True if a daemon may be started when none is running.
  var isOnThisMachine: Bool { if case .unix = endpoint { true } else { false } }

  /// Reads the address from the options, then the environment, then the default (docs/CLIENT.md).
  init(_ options: CommonOptions) throws(ClientFailure) {
    if let connect = options.connect ?? (options.socket == nil ? Self.variable("STACK_CONNECT") : nil) {
      guard let address = SocketAddress(connect) else {
        throw ClientFailure(.usage, "$STACK_CONNECT must be HOST:PORT with a numeric host, not '\(connect)'")
      }
      guard address.isLoopback else { throw Self.refusal(of: address) }
      endpoint = .tcp(address)
      if let file = options.tokenFile {
        token = try Self.token(inFile: file)
      } else {
        token = Self.variable("STACK_TOKEN")
      }
      return
    }
    guard options.tokenFile == nil else {
      throw ClientFailure(
        .usage, "--token-file needs --connect", hint: "a local socket identifies you without a token")
    }
    endpoint = .unix(path: options.socket ?? Self.variable("STACK_SOCKET") ?? Endpoint.defaultSocketPath)
    token = nil
  }

  /// The refusal to send a token to another machine, where anyone on the way could read it.
  private static func refusal(of address: SocketAddress) -> ClientFailure {
    ClientFailure(
      .refused, "connecting to \(address) is refused: connections to other machines would need TLS",
      hint: "run `ssh -N -L \(address.port):127.0.0.1:\(address.port) \(address.host)`, "
        + "and use --connect 127.0.0.1:\(address.port)")
  }

  /// Returns an environment variable, unless it is empty.
  private static func variable(_ name: String) -> String? {
    UV.Process.environment(name).flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Reads the token from a file or a pipe. A file that others can read is refused before it is read.
  private static func token(inFile path: String) throws(ClientFailure) -> String {
    let permissions = try FileReading.attempt(path) { () throws(UVError) in
      try FileSystem.status(of: path, followingLink: true).permissions
    }
    guard permissions & 0o077 == 0 else {
      throw ClientFailure(
        .refused, "\(path) is readable by others",
        hint: "run `chmod 600` on it, and revoke the token if it may have leaked")
    }
    let bytes = try FileReading.attempt(path) { () throws(UVError) in try FileSystem.read(path, limit: tokenFileBytes) }
    let token = bytes.filter { $0 > 0x20 }
    guard !token.isEmpty, token.allSatisfy({ $0 < 0x7F }) else {
      throw ClientFailure(.failure, "\(path) does not contain a token")
    }
    return String(decoding: token, as: UTF8.self)
  }
}
