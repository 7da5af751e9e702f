internal import Engine
internal import Posts
internal import RPC
internal import Store

/// The account that makes a call, and its scopes.
struct Caller {
  let account: Account
  let scopes: Scopes
  /// The connection's identity, from which the account was found.
  let peer: Peer

  /// The ID of the caller's token; nil for a user of this machine, whom the kernel identifies.
  var token: UInt64? {
    if case .tokenHolder(let token) = peer { token } else { nil }
  }

  /// True for a user of this machine on the Unix socket.
  var isLocal: Bool { token == nil }
}

/// Maps callers to accounts.
protocol CallerDirectory: AnyObject {
  /// Finds a caller's account. Calls `answer` at once if the account is known already.
  func find(_ peer: Peer, _ answer: @escaping (Result<Caller, EngineError>) -> Void)
  /// Returns a caller's account if it is known already.
  func knownAccount(of peer: Peer) -> AccountID?
}
