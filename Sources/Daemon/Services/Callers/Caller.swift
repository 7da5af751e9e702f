internal import Store

/// Who a call is from, and what it may do.
struct Caller {
  let account: Account
  let scopes: Scopes
  /// The token that was shown; nil for a user of this machine, for whom the kernel vouches.
  let token: UInt64?

  /// Whether it is a user of this machine on the Unix socket.
  var isLocal: Bool { token == nil }
}
