/// The token by which callers over TCP show that they may read a file of the daemon's user.
public struct TokenVerifier {
  private let token: [UInt8]

  /// Accepts exactly this token.
  public init(token: String) { self.token = Array(token.utf8) }

  /// Whether this is the token. Compares in a time that depends on nothing but the length of what was offered, so that
  /// no caller can feel its way.
  func accepts(_ offered: [UInt8]) -> Bool {
    var difference: UInt8 = offered.count == token.count ? 0 : 1
    for index in offered.indices { difference |= offered[index] ^ token[index % token.count] }
    return difference == 0
  }
}
