internal import Engine
internal import Messages
internal import RPC
internal import Store

/// Says of each call whether it may be made: who calls, and what the method asks for.
///
/// A user of this machine may look and post; the user the daemon runs as, and root, may also look after it. Who comes
/// over TCP shows the token in the daemon's file, which stands for that user, or one that was issued, which allows what
/// it was issued with. Of an issued token only its digest is known. All digests are in memory, of an account at most
/// ``StoreLimits/tokens``, so that no call costs a read, whatever it shows.
final class Admission {
  /// The number of the token in the daemon's file; issued ones count from 1.
  static let ownToken: UInt64 = 0

  private let own: TokenVerifier?
  private let daemonUser: UInt32?
  private var tokens: [UInt64: Token] = [:]
  private var digests: [UInt64: [UInt8]] = [:]
  /// Looked up by the digest of what a caller shows: how long that takes tells nothing of the token that has it.
  private var numbers: [[UInt8]: UInt64] = [:]

  /// - Parameters:
  ///   - own: knows the token in the daemon's file; nil where there is none.
  ///   - daemonUser: the user the daemon runs as; nil where nobody looks after it.
  init(own: TokenVerifier?, daemonUser: UInt32?) {
    self.own = own
    self.daemonUser = daemonUser
  }

  // MARK: Tokens

  /// Takes a token from now on, of whose text this is the SHA-256.
  func add(_ token: Token, digest: [UInt8]) {
    let id = UInt64(token.id)
    tokens[id] = token
    digests[id] = digest
    numbers[digest] = id
  }

  /// Takes it no longer.
  func remove(_ id: UInt64) {
    tokens[id] = nil
    if let digest = digests.removeValue(forKey: id) { numbers[digest] = nil }
  }

  /// An issued token; nil where it is none, or not any more.
  subscript(id: UInt64) -> Token? { tokens[id] }

  // MARK: Calls

  /// Who calls: the kernel's word for it, or that of the token in `metadata`; `unknown` for somebody who shows none.
  ///
  /// - Throws: UNAUTHENTICATED for a token that is none.
  func identify(_ peer: Peer, _ metadata: Metadata) throws(Status) -> Peer {
    guard peer == .unknown, let shown = metadata.text("authorization") else { return peer }
    let parts = shown.split(separator: " ")
    if parts.count == 2, parts[0].lowercased() == "bearer" {
      let token = Array(parts[1].utf8)
      if own?.accepts(token) == true { return .tokenHolder(Self.ownToken) }
      if let id = numbers[SHA256.digest(of: token)] { return .tokenHolder(id) }
    }
    throw Status(
      EngineError(
        .unauthenticated, "the daemon does not know this token, or it was taken back: ask for another one",
        reason: .badToken))
  }

  /// Lets a call through.
  ///
  /// - Throws: UNAUTHENTICATED if nobody has said who calls; PERMISSION_DENIED if the caller may not.
  func check(_ peer: Peer, _ access: Access) throws(Status) {
    if peer == .unknown {
      guard !access.isOpen else { return }
      throw Self.noToken
    }
    guard let scope = access.scope, !scopes(of: peer).contains(Scopes(scope)) else { return }
    throw Status(Self.missing(scope, peer))
  }

  /// What a caller may do.
  func scopes(of peer: Peer) -> Scopes {
    switch peer {
    case .localUser(let user, _): user == daemonUser || user == 0 ? .all : [.view, .post]
    case .tokenHolder(Self.ownToken): .all
    case .tokenHolder(let id): tokens[id]?.scopes ?? []
    case .unknown: []
    }
  }

  /// What somebody is told who shows nothing.
  static let noToken = Status(
    .unauthenticated, "send a token of the daemon as the metadata \"authorization: Bearer TOKEN\"")

  /// What somebody is told who may not.
  static func missing(_ scope: Scope, _ peer: Peer) -> EngineError {
    if case .localUser = peer {
      return EngineError(
        .permissionDenied, "scope \(scope) is missing: over the Unix socket only the user the daemon runs as has it",
        reason: .missingScope)
    }
    return EngineError(
      .permissionDenied, "the token's scopes do not have \(scope): issue one with it, or ask on the Unix socket",
      reason: .missingScope)
  }
}
