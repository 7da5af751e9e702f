internal import Codecs

/// A proof key for code exchange (RFC 7636) by the method S256.
public struct ProofKey: Equatable, Sendable {
  /// The secret that is sent with the code.
  public let verifier: String
  /// Its digest, which is sent with the request for a code.
  public var challenge: String { Self.urlSafe(SHA256.digest(of: Array(verifier.utf8))) }

  /// Makes a key of 32 random bytes, as section 4.1 recommends.
  public init(randomBytes: [UInt8]) {
    precondition(randomBytes.count >= 32, "a verifier has at least 43 characters")
    verifier = Self.urlSafe(randomBytes)
  }

  /// Base64 for URLs (RFC 4648, section 5), without padding.
  private static func urlSafe(_ bytes: [UInt8]) -> String {
    String(Base64.encode(bytes).map { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 })
  }
}
