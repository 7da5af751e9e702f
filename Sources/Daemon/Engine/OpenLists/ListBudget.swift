internal import Posts

/// The memory of searches that only ephemeral sessions show: one budget for all accounts, of which each has a share.
///
/// A search that would grow beyond is cut: its oldest rows are left out while it is open. Then no other can be opened.
struct ListBudget {
  private let limits: EngineLimits
  private var bytes: [ListKey: Int] = [:]
  private var bytesByAccount: [AccountID: Int] = [:]
  /// The bytes of all lists that count.
  private(set) var total = 0

  init(limits: EngineLimits) { self.limits = limits }

  /// Returns true if a list counts.
  func counts(_ key: ListKey) -> Bool { bytes[key] != nil }

  /// Counts a list with its present size in bytes.
  mutating func count(_ key: ListKey, bytes now: Int) { change(key, to: now) }

  /// Stops counting a list: it is closed, or something else needs it.
  mutating func remove(_ key: ListKey) { change(key, to: nil) }

  private mutating func change(_ key: ListKey, to now: Int?) {
    let difference = (now ?? 0) - (bytes[key] ?? 0)
    bytes[key] = now
    total += difference
    guard let account = key.account else { return }
    let own = bytesByAccount[account, default: 0] + difference
    bytesByAccount[account] = own == 0 ? nil : own
  }

  /// Returns true if an account's lists may take no more. An account without any may always have the first page of one.
  func isSpent(by account: AccountID) -> Bool {
    let own = bytesByAccount[account] ?? 0
    return own >= limits.lists.ephemeralShare || (total >= limits.lists.ephemeralBytes && own > 0)
  }
}
