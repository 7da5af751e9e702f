internal import Posts
internal import RPC

/// Allowances for streams that end with an error, each shared by all connections of a caller. A connection has a
/// smaller one of its own; without these, a new connection would come with a new allowance.
///
/// There is one for each account, so the table is as bounded as the accounts are.
struct ResetAllowances {
  /// Streams of a caller that may end with an error at once: five times what a connection may.
  static let burst = 1000
  /// Further streams in each second.
  static let perSecond = 100

  private var allowances: [CallOwner: Allowance] = [:]

  init() {}

  /// Counts a stream that ended with an error. Returns false if the owner's allowance is spent.
  mutating func spend(of owner: CallOwner, at now: Duration) -> Bool {
    allowances[owner, default: Allowance(burst: Self.burst, perSecond: Self.perSecond, at: now)].spend(1, at: now)
  }
}
