/// A call that waits for room in the budget.
protocol BudgetWaiter: AnyObject {
  /// The account that the call is counted for.
  var account: CallBudget.Account { get }
  /// There is room now.
  func roomFound()
}

/// The bytes that are counted for one connection in a ``CallBudget``, and the calls of it that wait for room.
final class ConnectionShare {
  private let budget: CallBudget
  /// Bytes counted for the connection.
  private(set) var bytes = 0
  /// The part of them that the client could read.
  private var unreadBytes = 0
  /// The part of those that the socket has not accepted.
  private var unsentBytes = 0
  /// Bytes of requests that have arrived and are not consumed.
  private var heldBytes = 0
  /// The account that bytes were last counted for.
  private(set) var account: CallBudget.Account?
  /// Calls that wait, oldest first; at most as many as are open.
  private var waiting: [any BudgetWaiter] = []
  /// The time at which the client was last seen to read something; nil if that was not checked since.
  private var unreadSince: Duration?
  /// The time of the last check.
  private var checkedAt: Duration?
  /// Called when others wait for what this connection holds: `nextCheck` has changed.
  var onWanted: (() -> Void)?

  /// A share of which nothing is used.
  init(of budget: CallBudget) { self.budget = budget }

  /// Adds to the bytes that are counted for a call, and to the part of them that its client could read.
  func add(_ change: Int, unread: Int, to account: CallBudget.Account) {
    self.account = account
    bytes += change
    budget.add(change, to: account)
    addUnread(unread)
  }

  /// Adds to the bytes of requests that have arrived and are not consumed. Returns false if that is more, and there is no
  /// room for it.
  func hold(_ change: Int, for account: CallBudget.Account) -> Bool {
    heldBytes += change
    return budget.hold(change, for: account, ofConnectionWith: heldBytes)
  }

  /// Sets the number of bytes that have been taken for the socket and that it has not accepted.
  func setUnsent(_ count: Int) {
    let change = count - unsentBytes
    guard change != 0 else { return }
    unsentBytes = count
    bytes += change
    budget.add(change, to: nil)
    if change < 0 { unreadSince = nil }
    addUnread(change)
  }

  private func addUnread(_ change: Int) {
    let before = unreadBytes
    unreadBytes += change
    guard (before > 0) != (unreadBytes > 0) else { return }
    unreadSince = nil
    budget.setHolder(self, unreadBytes > 0)
  }

  // MARK: Waiting

  /// Returns the count of an owner.
  func account(of owner: CallOwner) -> CallBudget.Account { budget.account(of: owner) }

  /// See `CallBudget.keepRequest`.
  func keepRequest(_ bytes: Int) -> Bool { budget.keepRequest(bytes) }

  /// See `CallBudget.releaseRequest`.
  func releaseRequest(_ bytes: Int) { budget.releaseRequest(bytes) }

  /// Returns true if a call may make another response.
  func hasRoom(for account: CallBudget.Account) -> Bool { budget.obstacle(to: self, account) == nil }

  /// Makes a call wait until there is room.
  func enqueue(_ waiter: any BudgetWaiter) {
    waiting.append(waiter)
    if waiting.count == 1 { budget.enqueue(self) }
  }

  /// Removes a call that waits no more. O(calls).
  func dequeue(_ waiter: any BudgetWaiter) {
    guard let place = waiting.firstIndex(where: { $0 === waiter }) else { return }
    waiting.remove(at: place)
    if waiting.isEmpty { budget.dequeue(self) }
  }

  /// Lets the oldest waiting call go on if there is room for it. Returns false if there is none, or no such call.
  func admitNext() -> Bool {
    guard let next = waiting.first, hasRoom(for: next.account) else { return false }
    dequeue(next)
    next.roomFound()
    return true
  }

  /// What the oldest waiting call waits for; nil if none waits, or there is room.
  var nextObstacle: (obstacle: CallBudget.Obstacle, account: CallBudget.Account)? {
    guard let next = waiting.first, let obstacle = budget.obstacle(to: self, next.account) else { return nil }
    return (obstacle, next.account)
  }

  // MARK: Clients that read nothing

  /// The time at which `mustLeave` is next due, or earlier; nil while nobody waits, or the client has nothing to read.
  ///
  /// - Parameter now: the present time, or an earlier one.
  func nextCheck(at now: Duration) -> Duration? {
    guard unreadBytes > 0, budget.hasWaiting else { return nil }
    return (unreadSince == nil ? now : checkedAt ?? now) + budget.limits.patience
  }

  /// Returns true if the client has read nothing for too long of what waits for it.
  func isStalled(at now: Duration) -> Bool { unreadSince.map { $0 + budget.limits.patience <= now } ?? false }

  /// Returns true if the connection has to end, since others need the room and its client reads nothing.
  ///
  /// - Parameter hasTaken: true if bytes have been taken for the socket since the last check.
  func mustLeave(at now: Duration, hasTaken: Bool) -> Bool {
    guard let due = nextCheck(at: now) else {
      unreadSince = nil
      return false
    }
    guard !hasTaken, unreadSince != nil else {
      unreadSince = now
      checkedAt = now
      return false
    }
    guard due <= now else { return false }
    checkedAt = now
    return isStalled(at: now) && budget.isExcessive(self, at: now)
  }
}
