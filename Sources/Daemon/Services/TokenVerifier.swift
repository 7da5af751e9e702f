public import RPC

/// The token by which callers over TCP show that they may read a file of the daemon's user.
public struct TokenVerifier {
  private let token: [UInt8]

  /// Accepts exactly this token.
  public init(token: String) { self.token = Array(token.utf8) }

  /// The name of the holder of the token in `authorization: Bearer …`; nil if there is none or it is another.
  public func holder(of metadata: Metadata) -> String? {
    guard let value = metadata.text("authorization") else { return nil }
    let parts = value.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: true)
    guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
    return isToken(Array(parts[1].utf8)) ? "owner" : nil
  }

  /// Compares in a time that depends on nothing but the length of what was offered, so that no caller can feel its way.
  private func isToken(_ offered: [UInt8]) -> Bool {
    var difference: UInt8 = offered.count == token.count ? 0 : 1
    for index in offered.indices { difference |= offered[index] ^ token[index % token.count] }
    return difference == 0
  }
}
