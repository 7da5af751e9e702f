public import Services
internal import UV

extension TokenVerifier {
  /// Bytes of randomness in a token; written in hexadecimal, it is twice as long.
  private static let tokenBytes = 32

  /// Bytes that a token's file may have; more is some other file.
  private static let fileLimitBytes = 4096

  /// Reads the token from a file, which is made with a new token and mode 0600 if there is none.
  ///
  /// - Throws: `TransportError.tokenFile` if others may read the file, or if it holds no token; `cannotPrepare`.
  public init(file path: String) throws(TransportError) {
    let (status, text) = try TransportError.preparing(path) { () throws(UVError) in
      try TokenVerifier.makeFile(path)
      return (try FileSystem.status(of: path), try FileSystem.read(path, limit: TokenVerifier.fileLimitBytes))
    }
    guard status.kind == .regular, status.owner == Process.effectiveUserID, status.permissions & 0o077 == 0 else {
      throw .tokenFile(path: path, reason: "it must be yours alone: run chmod 600 on it, or remove it for a new one")
    }
    let token = text.filter { (0x21...0x7E).contains($0) }
    guard token.count >= TokenVerifier.tokenBytes else {
      throw .tokenFile(path: path, reason: "it holds no token: remove it for a new one")
    }
    self.init(token: String(decoding: token, as: UTF8.self))
  }

  /// Makes the file with a new token, unless there is one.
  private static func makeFile(_ path: String) throws(UVError) {
    let digits = Array("0123456789abcdef".utf8)
    let random = try Process.randomBytes(tokenBytes)
    let text = random.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] } + [UInt8(ascii: "\n")]
    do {
      if let parent = FileSystem.parent(of: path) { try FileSystem.makeDirectories(parent) }
      try FileSystem.create(path, mode: 0o600, contents: text)
    } catch .fileExists {
      // From an earlier start, or from a daemon that started in this moment: that token is the one.
    }
  }
}
