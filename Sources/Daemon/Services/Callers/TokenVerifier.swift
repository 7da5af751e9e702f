/// Verifies the token of the daemon's own file. A TCP caller that sends it can read a file of the daemon's user.
public struct TokenVerifier {
  private let token: [UInt8]

  /// Accepts exactly this token.
  public init(token: String) { self.token = Array(token.utf8) }

  /// Returns true if `offered` is the token. The time depends only on the length of `offered`, so that no caller can
  /// guess the token byte by byte.
  func accepts(_ offered: [UInt8]) -> Bool {
    var difference: UInt8 = offered.count == token.count ? 0 : 1
    for index in offered.indices { difference |= offered[index] ^ token[index % token.count] }
    return difference == 0
  }
}
