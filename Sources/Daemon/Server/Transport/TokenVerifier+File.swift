public import Services
internal import UV

extension TokenVerifier {
  /// Random bytes in a token; its hexadecimal text is twice as long.
  private static let tokenBytes = 32

  /// Maximum size of a token file in bytes; a larger file is something else.
  private static let fileLimitBytes = 4096

  /// Reads the token from a file. A missing file is created with a new token and mode 0600.
  ///
  /// - Throws: `TransportError.tokenFile` if others may read the file, or if it holds no token; `cannotPrepare`.
  public init(file path: String) throws(TransportError) {
    let (status, text) = try TransportError.preparing(path) { () throws(UVError) in
      try TokenVerifier.makeFile(path)
      return (try FileSystem.status(of: path), try FileSystem.read(path, limit: TokenVerifier.fileLimitBytes))
    }
    guard status.kind == .regular, status.owner == Process.effectiveUserID, status.permissions & 0o077 == 0 else {
      throw .tokenFile(
        path: path, reason: "it must be accessible to you alone; run chmod 600 on it, or delete it to get a new one")
    }
    let token = text.filter { (0x21...0x7E).contains($0) }
    guard token.count >= TokenVerifier.tokenBytes else {
      throw .tokenFile(path: path, reason: "it holds no token; delete it to get a new one")
    }
    self.init(token: String(decoding: token, as: UTF8.self))
  }

  /// Creates the file with a new token, unless it exists.
  private static func makeFile(_ path: String) throws(UVError) {
    let digits = Array("0123456789abcdef".utf8)
    let random = try Process.randomBytes(tokenBytes)
    let text = random.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] } + [UInt8(ascii: "\n")]
    do {
      if let parent = FileSystem.parent(of: path) { try FileSystem.makeDirectories(parent) }
      try FileSystem.create(path, mode: 0o600, contents: text)
    } catch .fileExists {
      // Created by an earlier start, or by a daemon that started at this moment: that token is valid.
    }
  }
}
