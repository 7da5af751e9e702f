internal import Engine
internal import RPC
internal import Store

/// Who a call is from, and what it may do.
struct Caller {
  let account: Account
  let scopes: Scopes
  /// How the account is known.
  let peer: Peer

  /// The token that was shown; nil for a user of this machine, for whom the kernel vouches.
  var token: UInt64? {
    if case .tokenHolder(let token) = peer { token } else { nil }
  }

  /// Whether it is a user of this machine on the Unix socket.
  var isLocal: Bool { token == nil }
}

/// Knows which account a caller is.
protocol CallerDirectory: AnyObject {
  /// Finds who a caller is, at once where that is known.
  func find(_ peer: Peer, _ answer: @escaping (Result<Caller, EngineError>) -> Void)
}
