internal import Codecs
internal import Engine
internal import Messages
internal import RPC
internal import Store

/// Identifies the caller of each call and checks that the caller's scopes allow the method.
///
/// A user of this machine may view, change panes and post; root and the user who runs the daemon also have the admin
/// scope. A caller over TCP sends a token: the one in the daemon's file stands for the daemon's user, an issued one has
/// the scopes it was issued with. Only the digest of an issued token is stored. All digests are kept in memory, at most
/// ``StoreLimits/tokens`` per account, so no call costs a store read, whatever token it sends.
final class Authenticator {
  /// The ID of the token in the daemon's file; issued tokens count from 1.
  static let ownToken: UInt64 = 0

  private let own: TokenVerifier?
  private let daemonUser: UInt32?
  private var tokens: [UInt64: Token] = [:]
  private var digests: [UInt64: [UInt8]] = [:]
  /// Token IDs by digest. Looking up the digest of what a caller sends leaks nothing about stored tokens through
  /// timing.
  private var ids: [[UInt8]: UInt64] = [:]

  /// - Parameters:
  ///   - own: verifies the token in the daemon's file; nil if there is none.
  ///   - daemonUser: the user who runs the daemon; nil if no user is an administrator.
  init(own: TokenVerifier?, daemonUser: UInt32?) {
    self.own = own
    self.daemonUser = daemonUser
  }

  // MARK: Tokens

  /// Accepts a token from now on; `digest` is the SHA-256 of its text.
  func add(_ token: Token, digest: [UInt8]) {
    let id = UInt64(token.id)
    tokens[id] = token
    digests[id] = digest
    ids[digest] = id
  }

  /// Stops accepting a token.
  func remove(_ id: UInt64) {
    tokens[id] = nil
    if let digest = digests.removeValue(forKey: id) { ids[digest] = nil }
  }

  /// An issued token; nil if it does not exist or was revoked.
  subscript(id: UInt64) -> Token? { tokens[id] }

  // MARK: Calls

  /// Returns the caller's identity: the kernel's for a local user, else the holder of the token in `metadata`;
  /// `unknown` if there is no token.
  ///
  /// - Throws: UNAUTHENTICATED for an invalid token.
  func authenticate(_ peer: Peer, _ metadata: Metadata) throws(Status) -> Peer {
    guard peer == .unknown, let header = metadata.text("authorization") else { return peer }
    let parts = header.split(separator: " ")
    if parts.count == 2, parts[0].lowercased() == "bearer" {
      let token = Array(parts[1].utf8)
      if own?.accepts(token) == true { return .tokenHolder(Self.ownToken) }
      if let id = ids[SHA256.digest(of: token)] { return .tokenHolder(id) }
    }
    throw Status(
      EngineError(
        .unauthenticated, "the daemon does not know this token, or it was revoked; ask for a new one",
        reason: .badToken))
  }

  /// Checks that a caller may call a method.
  ///
  /// - Throws: UNAUTHENTICATED if the caller is unknown; PERMISSION_DENIED if the caller lacks the scope.
  func authorize(_ peer: Peer, _ access: MethodAccess) throws(Status) {
    if peer == .unknown {
      guard !access.isOpen else { return }
      throw Self.noToken
    }
    guard let scope = access.scope, !scopes(of: peer).contains(Scopes(scope)) else { return }
    throw Status(Self.missing(scope, peer))
  }

  /// The scopes that a caller has.
  func scopes(of peer: Peer) -> Scopes {
    switch peer {
    case .localUser(let user, _): user == daemonUser || user == 0 ? .all : [.view, .panes, .post]
    case .tokenHolder(Self.ownToken): .all
    case .tokenHolder(let id): tokens[id]?.scopes ?? []
    case .unknown: []
    }
  }

  /// The refusal of a call without a token.
  static let noToken = Status(
    .unauthenticated, "no token; send one as the metadata \"authorization: Bearer TOKEN\"")

  /// The refusal of a caller that lacks a scope.
  static func missing(_ scope: Scope, _ peer: Peer) -> EngineError {
    if case .localUser = peer {
      return EngineError(
        .permissionDenied, "scope \(scope) is missing: on the Unix socket only the user who runs the daemon has it",
        reason: .missingScope)
    }
    return EngineError(
      .permissionDenied, "the token lacks scope \(scope); issue one that has it, or call over the Unix socket",
      reason: .missingScope)
  }
}
