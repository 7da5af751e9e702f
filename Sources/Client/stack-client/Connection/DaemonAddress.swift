internal import ClientCore
internal import UV

/// Where the daemon is, and what opens it: a socket of this machine, where the kernel says who calls, or TCP and a
/// token.
struct DaemonAddress {
  /// Where it listens.
  let endpoint: Endpoint
  /// What is shown to it; nil on a Unix socket, and for somebody who is not signed in.
  let token: String?

  /// Most bytes that a token's file has; more is some other file.
  private static let tokenFileBytes = 4096

  /// Whether it may be started where none answers.
  var isOnThisMachine: Bool { if case .unix = endpoint { true } else { false } }

  /// What the options say, then the environment, then the rule (docs/CLIENT.md).
  init(_ options: CommonOptions) throws(ClientFailure) {
    if let connect = options.connect ?? (options.socket == nil ? Self.variable("STACK_CONNECT") : nil) {
      guard let address = SocketAddress(connect) else {
        throw ClientFailure(.usage, "$STACK_CONNECT is not HOST:PORT with a numeric host: '\(connect)'")
      }
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
        .usage, "--token-file goes with --connect", hint: "on a socket of this machine you are who you are")
    }
    endpoint = .unix(path: options.socket ?? Self.variable("STACK_SOCKET") ?? Endpoint.defaultSocketPath)
    token = nil
  }

  /// A variable of the environment that says something.
  private static func variable(_ name: String) -> String? {
    UV.Process.environment(name).flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The token in a file or a pipe; what others could read is no secret, and refused before it is read.
  private static func token(inFile path: String) throws(ClientFailure) -> String {
    let permissions = try FileReading.attempt(path) { () throws(UVError) in
      try FileSystem.status(of: path, followingLink: true).permissions
    }
    guard permissions & 0o077 == 0 else {
      throw ClientFailure(
        .refused, "others can read the token in \(path)",
        hint: "run `chmod 600` on it, and revoke the token if they did")
    }
    let bytes = try FileReading.attempt(path) { () throws(UVError) in try FileSystem.read(path, limit: tokenFileBytes) }
    let token = bytes.filter { $0 > 0x20 }
    guard !token.isEmpty, token.allSatisfy({ $0 < 0x7F }) else {
      throw ClientFailure(.failure, "\(path) holds no token")
    }
    return String(decoding: token, as: UTF8.self)
  }
}
